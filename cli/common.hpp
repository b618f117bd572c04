// What the commands have in common: flags, messages, the one JSON object.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

using Json = nlohmann::ordered_json;

// The run itself failed, though its input was good: exit code 1.
struct RunFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Common {
  bool quiet = false;
  bool json = false;
  bool force = false;
};

// A command with --quiet, --json, --config and an example at the end of its help.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& example, Common& common);
// --force, for commands that write files
void add_force(CLI::App& command, Common& common);

// To standard error; that it cannot be written is no reason to fail.
void print_error(const std::string& text);

// A line on standard error, unless --quiet
void say(const Common& common, const std::string& line);

// With --json the one object on standard output, otherwise `text` (which may be empty).
void print_result(const Common& common, const Json& json, const std::string& text);

// Refuses two outputs of the same name, and, without --force, names that are taken. Empty names
// and "-" are left out.
void check_outputs(const std::vector<std::string>& paths, bool force);

// All of a small file, or of a pipe. Throws FileError, also if there is more than that: it may have
// no end at all.
std::string read_text_file(const std::string& path, std::size_t most);

// A flag's value is a whole number, at least this
CLI::Validator whole_number(long long least);
// … or any number above 0, or 0 itself
CLI::Validator a_number(bool or_zero);

// "64x48": two whole numbers, at least 1. Nothing if it is anything else.
std::optional<std::pair<Index, Index>> parse_sides(const std::string& text);

// "1,234,567"
std::string with_commas(long long number);

}  // namespace tamis
