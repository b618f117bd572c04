// What all kinds of `tamis generate` do: flags from a list of fields, and the loop that makes
// blocks of samples and writes them.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "common.hpp"
#include "encoding.hpp"
#include "generate/options.hpp"
#include "generated_files.hpp"
#include "report.hpp"
#include "tamis/evaluate.hpp"

namespace tamis {

struct GenerateFlags {
  Common common;
  GeneratedPaths paths;
  std::string precision = "float";

  void add_to(CLI::App& command, Knowledge known);
};

// One flag per field. `options` must stay where it is.
template <HasFields Options>
void add_option_flags(CLI::App& command, Options& options) {
  Options::fields(options, [&]<class Value>(std::string_view name, Value& value, const Range& range,
                                            std::string_view help) {
    const std::string flag = "--" + with_dashes(name);
    std::string text(help);
    if constexpr (WordEnum<Value>) text += ": " + allowed_text(value, range);
    command
        .add_option_function<std::string>(
            flag, [&value, flag](const std::string& given) { read_option(flag, given, value); },
            text)
        ->type_name(WordEnum<Value> ? "X" : (std::is_same_v<Value, double> ? "x" : "n"))
        ->default_str(option_text(value))
        ->group("Data");
  });
}

template <HasFields Options>
Json options_json(const Options& options) {
  Json json = Json::object();
  Options::fields(options, [&]<class Value>(std::string_view name, const Value& value, auto&&...) {
    if constexpr (WordEnum<Value>) {
      json[std::string(name)] = option_text(value);
    } else {
      json[std::string(name)] = value;
    }
  });
  return json;
}

// What a kind of data brings along.
template <class T>
struct Recipe {
  Knowledge known;
  Json options;
  std::function<std::unique_ptr<Generator<T>>()> make;
  std::function<std::string(Index)> name = {};  // of a sample's image file
};

template <class T>
void run_generate(const GenerateFlags& flags, const Recipe<T>& recipe);

}  // namespace tamis
