// Settings as one flat JSON object: numbers, bools, null for what is unset, arrays of arrays for
// groups and the text form (text.hpp) for the rest. JSON has no infinity, so that is the text
// "inf".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "settings/text.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;

template <class T>
concept WrittenAsText = Choice<T> || HasFields<T>;

Json encode(double value) { return std::isfinite(value) ? Json(value) : Json(text::write(value)); }
Json encode(Index value) { return value; }
Json encode(std::uint64_t value) { return value; }
Json encode(bool value) { return value; }
Json encode(const Groups& groups) { return groups; }
template <WrittenAsText T>
Json encode(const T& value) {
  return text::write(value);
}
template <class T>
Json encode(const std::optional<T>& value) {
  return value ? encode(*value) : Json(nullptr);
}

[[noreturn]] void refuse(std::string_view where, const Json& json, std::string_view why) {
  const std::string value = json.is_structured() ? fmt::format("the {}", json.type_name())
                            : json.is_string()   ? text::quoted(json.get_ref<const std::string&>())
                                                 : json.dump();
  throw SettingsError(fmt::format("{}: {} {}", where, value, why));
}

void decode(std::string_view where, const Json& json, double& value) {
  const bool infinity = json == "inf" || json == "-inf";
  if (infinity) return text::read(where, json.get_ref<const std::string&>(), value);
  if (!json.is_number()) refuse(where, json, "is not a number");
  value = json.get<double>();
}

// One for Index and std::uint64_t: both must hold the number exactly.
template <std::integral T>
void decode(std::string_view where, const Json& json, T& value) {
  if (!json.is_number_integer()) refuse(where, json, "is not a whole number");
  const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                              : std::in_range<T>(json.get<std::int64_t>());
  if (!fits) {
    refuse(where, json,
           fmt::format("is not between {} and {}", std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::max()));
  }
  value = json.get<T>();
}

void decode(std::string_view where, const Json& json, bool& value) {
  if (!json.is_boolean()) refuse(where, json, "is neither true nor false");
  value = json.get<bool>();
}

void decode(std::string_view where, const Json& json, Groups& groups) {
  if (!json.is_array()) {
    refuse(where, json, "is not a list of lists of indices, such as [[0,1],[2,3]]");
  }
  Groups result;
  for (const Json& members : json) {
    if (!members.is_array()) refuse(where, members, "is not a list of indices, such as [0,1]");
    auto& group = result.emplace_back();
    for (const Json& index : members) decode(where, index, group.emplace_back());
  }
  groups = std::move(result);
}

template <HasFields S>
void decode(std::string_view where, const Json& json, S& parameters) {
  if (!json.is_string()) {
    refuse(where, json,
           fmt::format("is not a text of the form \"{}\"", fmt::join(text::field_names<S>(), ",")));
  }
  text::read(where, json.get_ref<const std::string&>(), parameters);
}

template <Choice C>
void decode(std::string_view where, const Json& json, C& choice) {
  const std::vector<std::string> options = text::option_names<C>();
  if (json.is_number()) {
    bool accepted = false;
    for_each_option<C>([&]<class Option>(const Option&) { accepted |= BareNumber<Option>; });
    if (accepted) return text::read(where, text::write(json.get<double>()), choice);
  }
  if (!json.is_string()) {
    refuse(where, json, fmt::format("is not one of {}", fmt::join(options, ", ")));
  }
  text::read(where, json.get_ref<const std::string&>(), choice);
}

template <class T>
void decode(std::string_view where, const Json& json, std::optional<T>& value) {
  if (json.is_null()) {
    value.reset();
    return;
  }
  T result{};
  decode(where, json, result);
  value = std::move(result);
}

// The parser alone would keep the last of two equal keys without a word.
Json parse(std::string_view text, std::vector<std::string>& errors) {
  std::set<std::string> keys;
  const auto note_repeats = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1 &&
        !keys.insert(parsed.get<std::string>()).second) {
      errors.push_back(fmt::format("{}: given twice", parsed.get<std::string>()));
    }
    return true;
  };
  try {
    Json json = Json::parse(text, note_repeats);
    if (!json.is_object()) {
      throw SettingsError(
          fmt::format("settings: expected a JSON object, found {}", json.type_name()));
    }
    return json;
  } catch (const Json::exception& error) {
    throw SettingsError(fmt::format("settings: not valid JSON: {}", error.what()));
  }
}

}  // namespace

std::string Settings::to_json() const {
  std::vector<std::string> lines;
  fields(*this, [&](std::string_view name, const auto& value, auto&&...) {
    lines.push_back(fmt::format("  \"{}\": {}", name, encode(value).dump()));
  });
  return fmt::format("{{\n{}\n}}\n", fmt::join(lines, ",\n"));
}

Settings Settings::from_json(std::string_view text) {
  std::vector<std::string> errors;
  const Json json = parse(text, errors);
  const std::vector<std::string> known = text::field_names<Settings>();
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      errors.push_back(fmt::format("setting {}", text::not_known(key, known)));
    }
  }
  Settings settings;
  fields(settings, [&](std::string_view name, auto& target, auto&&...) {
    const auto given = json.find(name);
    if (given == json.end()) return;
    try {
      decode(name, *given, target);
    } catch (const SettingsError& error) {
      errors.emplace_back(error.what());
    }
  });
  if (!errors.empty()) throw SettingsError(fmt::format("{}", fmt::join(errors, "\n")));
  return settings;
}

}  // namespace tamis
