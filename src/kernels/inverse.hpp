// The inverse of a small positive definite matrix.
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis::kernels {

// A ← A⁻¹ by Gauss–Jordan steps, which need no pivots where a ridge bounds the condition number:
// K² short columns plus a multiple of another one, in the first-level cache. K³ multiplications, of
// which many run at once; a factorization and two triangular solves have fewer but wait for each
// other.
void invert_definite(Matrix<float>& A, std::vector<float>& memory);
void invert_definite(Matrix<double>& A, std::vector<double>& memory);

}  // namespace tamis::kernels
