// Flags from a list of fields.
#pragma once

#include <string>
#include <string_view>

#include "common.hpp"
#include "generate/options.hpp"

namespace tamis {

// One flag per field, in the group of the help that group_of(name) tells. `options` must stay where
// it is.
template <HasFields Options, class GroupOf>
void add_option_flags(CLI::App& command, Options& options, const GroupOf& group_of) {
  Options::fields(options, [&]<class Value>(std::string_view name, Value& value, const Range& range,
                                            std::string_view help) {
    const std::string flag = "--" + with_dashes(name);
    std::string text(help);
    if constexpr (WordEnum<Value>) text += ": " + allowed_text(value, range);
    constexpr bool words = WordEnum<Value> || Choice<Value> || std::is_same_v<Value, bool>;
    command
        .add_option_function<std::string>(
            flag, [&value, flag](const std::string& given) { read_option(flag, given, value); },
            text)
        ->type_name(words ? "X" : (std::is_same_v<Value, double> ? "x" : "n"))
        ->default_str(option_text(value))
        ->group(std::string(group_of(name)));
  });
}
template <HasFields Options>
void add_option_flags(CLI::App& command, Options& options) {
  add_option_flags(command, options, [](std::string_view) { return "Data"; });
}

template <HasFields Options>
Json options_json(const Options& options) {
  Json json = Json::object();
  Options::fields(options, [&]<class Value>(std::string_view name, const Value& value, auto&&...) {
    if constexpr (WordEnum<Value> || Choice<Value>) {
      json[std::string(name)] = option_text(value);
    } else {
      json[std::string(name)] = value;
    }
  });
  return json;
}

}  // namespace tamis
