// Flags about the accuracy of encoding.
#pragma once

#include <CLI/CLI.hpp>

#include "tamis/model.hpp"

namespace tamis {

void add_encode_flags(CLI::App& command, EncodeOptions& options);

}  // namespace tamis
