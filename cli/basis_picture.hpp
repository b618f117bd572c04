// A dictionary as a picture.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "tamis/types.hpp"

namespace tamis::picture {

// The columns of W in the given order as tiles of shape {height, width} or {height, width, 3}, each
// scaled to its own largest entry; atoms with negative entries in red and blue; below each a bar
// and a number for its usage (shares of 1), and a legend that says so.
cv::Mat basis(const Matrix<float>& W, const std::vector<Index>& shape, const Vector<double>& usage,
              const std::vector<Index>& order, Index columns);

}  // namespace tamis::picture
