#include "settings/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace tamis::text {
namespace {

[[noreturn]] void refuse(std::string_view where, std::string_view text, std::string_view why) {
  throw SettingsError(fmt::format("{}: {} {}", where, quoted(text), why));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class T>
void read_number(std::string_view where, std::string_view text, std::string_view kind, T& value) {
  text = trimmed(text);
  T result{};
  const char* const last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, result);
  if (status == std::errc::invalid_argument || end != last) {
    refuse(where, text, fmt::format("is not {}", kind));
  }
  if (status == std::errc::result_out_of_range) {
    refuse(where, text,
           fmt::format("is too large or too small; the largest number is {}",
                       write(std::numeric_limits<T>::max())));
  }
  value = result;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool begins_with_number(std::string_view text) {
  double ignored = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), ignored);
  return parsed.ec != std::errc::invalid_argument;
}

// fmt writes the shortest digits that read back to the same double, whatever the locale.
std::string write(double value) { return fmt::format("{}", value); }
std::string write(Index value) { return fmt::format("{}", value); }
std::string write(std::uint64_t value) { return fmt::format("{}", value); }
std::string write(bool value) { return value ? "true" : "false"; }

std::string write(const Groups& groups) {
  std::vector<std::string> written;
  for (const auto& group : groups) written.push_back(fmt::format("{}", fmt::join(group, ",")));
  return fmt::format("{}", fmt::join(written, ";"));
}

void read(std::string_view where, std::string_view text, double& value) {
  double result = 0;
  read_number(where, text, "a number", result);
  if (std::isnan(result)) refuse(where, trimmed(text), "is not a number");
  value = result;
}

void read(std::string_view where, std::string_view text, Index& value) {
  read_number(where, text, "a whole number", value);
}

void read(std::string_view where, std::string_view text, std::uint64_t& value) {
  read_number(where, text, "a whole number of at least 0", value);
}

void read(std::string_view where, std::string_view text, bool& value) {
  constexpr std::array<std::string_view, 4> yes = {"true", "1", "yes", "on"};
  constexpr std::array<std::string_view, 4> no = {"false", "0", "no", "off"};
  std::string word(trimmed(text));
  for (char& letter : word) letter = char(std::tolower(static_cast<unsigned char>(letter)));
  if (std::find(yes.begin(), yes.end(), word) != yes.end()) {
    value = true;
  } else if (std::find(no.begin(), no.end(), word) != no.end()) {
    value = false;
  } else {
    refuse(where, text, "is neither true nor false (true, false, 1, 0, yes, no, on, off)");
  }
}

void read(std::string_view where, std::string_view text, Groups& groups) {
  Groups result;
  if (!trimmed(text).empty()) {
    for (const std::string_view part : split(text, ';')) {
      if (part.empty()) refuse(where, text, "has an empty group; write groups as 0,1;2,3");
      auto& group = result.emplace_back();
      for (const std::string_view index : split(part, ',')) {
        if (index.empty()) refuse(where, text, "has an empty index; write groups as 0,1;2,3");
        read(where, index, group.emplace_back());
      }
    }
  }
  groups = std::move(result);
}

std::string in_words(const Range& range) {
  const bool has_low = std::isfinite(range.low);
  const bool has_high = std::isfinite(range.high);
  std::string words = "any finite number";
  if (has_low && has_high && range.low_allowed) {
    words = fmt::format("between {} and {}", range.low, range.high);
  } else if (has_low || has_high) {
    const std::string low =
        has_low ? fmt::format("{} {}", range.low_allowed ? "at least" : "above", range.low) : "";
    const std::string high = has_high ? fmt::format("at most {}", range.high) : "";
    words = low + (has_low && has_high ? " and " : "") + high;
  }
  return range.finite ? words : words + ", or inf";
}

std::string join_parameters(const std::vector<Parameter>& parameters) {
  constexpr std::size_t most_without_names = 2;
  std::vector<std::string> written;
  written.reserve(parameters.size());
  for (const auto& [name, value] : parameters) {
    written.push_back(parameters.size() > most_without_names ? fmt::format("{}={}", name, value)
                                                             : value);
  }
  return fmt::format("{}", fmt::join(written, ","));
}

std::vector<std::optional<std::string_view>> match_parameters(
    std::string_view where, std::string_view text, std::string_view owner, std::string_view list,
    const std::vector<std::string>& names) {
  std::vector<std::optional<std::string_view>> values(names.size());
  const std::vector<std::string_view> given = split(list, ',');
  const std::string_view taker = owner.empty() ? where : owner;
  if (std::find(given.begin(), given.end(), "") != given.end()) {
    refuse(where, text, "has an empty parameter");
  }
  if (names.empty()) refuse(where, text, fmt::format("has a parameter, but {} takes none", taker));
  if (given.size() > names.size()) {
    refuse(where, text,
           fmt::format("has {} parameters, but {} takes at most {} ({})", given.size(), taker,
                       names.size(), fmt::join(names, ", ")));
  }
  bool named = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t equals = given[i].find('=');
    std::size_t position = i;
    std::string_view value = given[i];
    if (equals != std::string_view::npos) {
      named = true;
      const std::string_view name = trimmed(value.substr(0, equals));
      value = trimmed(value.substr(equals + 1));
      if (value.empty()) refuse(where, text, "has an empty parameter");
      position = std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
      if (position == names.size()) {
        throw SettingsError(
            fmt::format("{}: in {} the parameter {}", where, quoted(text), not_known(name, names)));
      }
    } else if (named) {
      refuse(where, text,
             fmt::format("has {} without a name after a named parameter", quoted(value)));
    }
    if (values[position]) refuse(where, text, fmt::format("gives {} twice", names[position]));
    values[position] = value;
  }
  return values;
}

}  // namespace tamis::text
