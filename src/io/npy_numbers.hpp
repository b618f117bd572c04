// A list of whole numbers in a .npy file: not samples, but which samples.
#pragma once

#include <string>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// One dimension, integers of any size and none of them negative. Throws FileError.
std::vector<Index> read_npy_numbers(const std::string& path);

}  // namespace tamis
