// The words of the command line before they are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tamis {

// The command that the arguments name: the deepest, as in `generate synthetic`.
struct Command {
  const CLI::App* app;
  std::string path;       // "generate.synthetic"
  std::size_t arguments;  // how many of them name it
};

Command find_command(const CLI::App& app, const std::vector<std::string>& arguments);

// --json and --quiet, which all commands have, may also stand before the command.
std::vector<std::string> with_command_first(const CLI::App& app,
                                            std::vector<std::string> arguments);

// Refuses flags without their value: the parser would take nothing for it, or the next flag.
void check_values(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace tamis
