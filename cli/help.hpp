// How the help of a command looks: short, in groups.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace tamis {

std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace tamis
