// tamis evaluate atoms
#pragma once

#include <CLI/CLI.hpp>

namespace tamis {

void add_evaluate_atoms(CLI::App& group);

}  // namespace tamis
