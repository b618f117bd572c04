// The measures of tamis evaluate that have a file of their own.
#pragma once

#include <CLI/CLI.hpp>

namespace tamis {

void add_evaluate_atoms(CLI::App& group);
void add_evaluate_mask(CLI::App& group);
void add_evaluate_ssim(CLI::App& group);
void add_evaluate_shadow(CLI::App& group);

}  // namespace tamis
