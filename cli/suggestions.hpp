// What a user who mistyped a flag or a command probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tamis {

// " is not known; did you mean --rank?", for an unknown flag of a command
std::string not_a_flag(const std::string& flag, const CLI::App& command);

// The whole sentence about what is left over after parsing.
std::string about_leftovers(const CLI::App& app);

}  // namespace tamis
