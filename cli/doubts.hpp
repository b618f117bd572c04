// What may be wrong with an input that can be read.
#pragma once

#include "common.hpp"
#include "input.hpp"

namespace tamis {

// Says how the first line of a text table is understood, if that may not be what was meant.
void say_doubts(const InputFlags& flags, const Common& common);

}  // namespace tamis
