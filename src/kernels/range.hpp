// The range of a sample's entries in one pass without branches: nearly all samples are fine.
#pragma once

#include "tamis/types.hpp"

namespace tamis::kernels {

template <class T>
struct Range {
  T smallest, largest;
  bool finite;  // no infinity, no NaN; otherwise the rest says nothing
};

Range<float> range(const float* v, Index count);
Range<double> range(const double* v, Index count);

}  // namespace tamis::kernels
