// One function per subcommand: it adds the command's options and what to do when it is called.
#pragma once

#include <CLI/CLI.hpp>

namespace tamis {

void add_demo(CLI::App& app);

}  // namespace tamis
