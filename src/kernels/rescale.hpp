// Sums of squares, and one atom and its statistics rescaled together.
#pragma once

#include "tamis/types.hpp"

namespace tamis::kernels {

// Σ w², in double
double sum_of_squares(const float* w, Index count);
double sum_of_squares(const double* w, Index count);

// Σ (x − y)², in double
double squared_distance(const float* x, const float* y, Index count);
double squared_distance(const double* x, const double* y, Index count);

// w ← w/norm, b ← b·norm
void rescale(float* w, double* b, Index count, double norm);
void rescale(double* w, double* b, Index count, double norm);

}  // namespace tamis::kernels
