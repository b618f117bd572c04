// A picture after a 3×3 median.
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// shape: {height, width}
Vector<float> median3(const ConstVectorRef<float>& x, const std::vector<Index>& shape);

}  // namespace tamis
