// Projection onto the simplex {w ≥ 0, Σw = 1}, and the step of a projected gradient method there.
#pragma once

#include "tamis/types.hpp"

namespace tamis::kernels {

// w ← P(w)
void project_to_simplex(float* w, Index count);
void project_to_simplex(double* w, Index count);

// sum ← sum + weight·w, then w ← P(w − step·direction)
void step_on_simplex(float* w, float* sum, const float* direction, Index count, float weight,
                     float step);
void step_on_simplex(double* w, double* sum, const double* direction, Index count, double weight,
                     double step);

}  // namespace tamis::kernels
