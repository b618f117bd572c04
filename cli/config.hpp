// --config FILE: flags from a file, under the names they have on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tamis {

// The arguments with the file's flags put in front of those given, which win. Keys stand alone, or
// in a section named like the command. Throws FileError.
std::vector<std::string> with_config(const CLI::App& app, std::vector<std::string> arguments);

}  // namespace tamis
