// Cholesky factor of a small positive definite matrix.
#pragma once

#include <Eigen/Cholesky>

#include "tamis/types.hpp"

namespace tamis {

// L with LLᵀ = A, in the lower triangle of L. A must be safely positive definite, as with a ridge added.
template <class T>
void cholesky(const Matrix<T>& A, Matrix<T>& L) {
  L = A;
  Eigen::LLT<Eigen::Ref<Matrix<T>>> in_place(L);
  eigen_assert(in_place.info() == Eigen::Success);
}

}  // namespace tamis
