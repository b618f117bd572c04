// One field to and from text, as on a command line:
//
//   a number            0.1   inf   12   true
//   a choice            ball   elastic-net:0.1,0.5   elastic-net:0.1,g2=0.5   and for λ also 0.1
//   several numbers     0.1,0.5   l2=0.5
//   groups of indices   0,1;2,3
//   an unset field      default
//
// read(where, text, value) throws SettingsError; `where` names the field in the message. It
// restores exactly what write() wrote.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "settings/suggest.hpp"
#include "tamis/error.hpp"
#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis::text {

inline constexpr std::string_view unset = "default";

template <class T>
concept Number =
    std::same_as<T, double> || std::same_as<T, Index> || std::same_as<T, std::uint64_t>;

std::string write(double value);
std::string write(Index value);
std::string write(std::uint64_t value);
std::string write(bool value);
std::string write(const Groups& groups);
template <HasFields S>
std::string write(const S& parameters);
template <Choice C>
std::string write(const C& choice);
template <class T>
std::string write(const std::optional<T>& value);

void read(std::string_view where, std::string_view text, double& value);
void read(std::string_view where, std::string_view text, Index& value);
void read(std::string_view where, std::string_view text, std::uint64_t& value);
void read(std::string_view where, std::string_view text, bool& value);
void read(std::string_view where, std::string_view text, Groups& groups);
template <HasFields S>
void read(std::string_view where, std::string_view text, S& parameters);
template <Choice C>
void read(std::string_view where, std::string_view text, C& choice);
template <class T>
void read(std::string_view where, std::string_view text, std::optional<T>& value);

// "at least 0", "above 0 and at most 1", "above 0, or inf"
std::string in_words(const Range& range);

std::string_view trimmed(std::string_view text);
// Whether text begins with a number, so that only a number can be meant.
bool begins_with_number(std::string_view text);

struct Parameter {
  std::string_view name;
  std::string value;
};
// `1,2`, or `a=1,b=2,c=3` where a bare list would be a riddle.
std::string join_parameters(const std::vector<Parameter>& parameters);

// Assigns the comma-separated values of `list`, positional before named as in Python, to `names`.
// `text` is the whole value, for messages; `owner` the option that takes the parameters, if any.
std::vector<std::optional<std::string_view>> match_parameters(
    std::string_view where, std::string_view text, std::string_view owner, std::string_view list,
    const std::vector<std::string>& names);

template <HasFields S>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  S defaults;
  S::fields(defaults, [&](std::string_view name, auto&&...) { names.emplace_back(name); });
  return names;
}

// What a user may write first: the options' names.
template <Choice C>
std::vector<std::string> option_names() {
  std::vector<std::string> names;
  names.reserve(std::variant_size_v<C>);
  for_each_option<C>([&]<class Option>(const Option&) {
    names.emplace_back(BareNumber<Option> ? std::string_view("a number") : Option::name);
  });
  return names;
}

template <HasFields S>
std::string write(const S& parameters) {
  std::vector<Parameter> written;
  S::fields(parameters, [&](std::string_view name, const auto& value, auto&&...) {
    written.push_back({name, write(value)});
  });
  return join_parameters(written);
}

template <Choice C>
std::string write(const C& choice) {
  return std::visit(
      []<class Option>(const Option& option) {
        std::string parameters = write(option);
        if constexpr (BareNumber<Option>) return parameters;
        std::string name(Option::name);
        return parameters.empty() ? name : name + ":" + parameters;
      },
      choice);
}

template <class T>
std::string write(const std::optional<T>& value) {
  return value ? write(*value) : std::string(unset);
}

template <HasFields S>
void read_parameters(std::string_view where, std::string_view text, std::string_view owner,
                     std::string_view list, S& parameters) {
  const auto values = match_parameters(where, text, owner, list, field_names<S>());
  std::string prefix(where);
  if (!owner.empty()) prefix.append(" ").append(owner);
  std::size_t i = 0;
  S::fields(parameters, [&](std::string_view name, auto& value, auto&&...) {
    if (const auto& given = values[i++]) read(prefix + " " + std::string(name), *given, value);
  });
}

template <HasFields S>
void read(std::string_view where, std::string_view text, S& parameters) {
  S result;
  read_parameters(where, text, "", text, result);
  parameters = result;
}

template <Choice C>
void read(std::string_view where, std::string_view text, C& choice) {
  text = trimmed(text);
  const std::size_t colon = text.find(':');
  const std::string_view name = trimmed(text.substr(0, colon));
  bool found = false;
  for_each_option<C>([&]<class Option>(Option option) {
    if (found) return;
    if constexpr (BareNumber<Option>) {
      found = begins_with_number(text);
      if (found) {
        Option::fields(option,
                       [&](std::string_view, auto& value, auto&&...) { read(where, text, value); });
      }
    }
    if (!found && name == Option::name) {
      found = true;
      if (colon != std::string_view::npos)
        read_parameters(where, text, name, text.substr(colon + 1), option);
    }
    if (found) choice = option;
  });
  if (!found) throw SettingsError(std::string(where) + ": " + not_known(name, option_names<C>()));
}

template <class T>
void read(std::string_view where, std::string_view text, std::optional<T>& value) {
  if (trimmed(text) == unset) {
    value.reset();
    return;
  }
  T result{};
  read(where, text, result);
  value = std::move(result);
}

}  // namespace tamis::text
