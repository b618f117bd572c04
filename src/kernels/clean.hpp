// y = v − clip(S_λ(v − p)·scale): the elementwise heart of encoding, one pass, no branches.
#pragma once

#include "kernels/shrinkage.hpp"
#include "tamis/types.hpp"

namespace tamis::kernels {

// For `count` entries. Where v is NaN (missing) y = p.
void clean(const float* v, const float* p, float* y, Index count, Shrinkage<float> shrinkage);
void clean(const double* v, const double* p, double* y, Index count, Shrinkage<double> shrinkage);

}  // namespace tamis::kernels
