// Factorizations of small dense matrices. They live in one file because Eigen's take long to
// compile.
#pragma once

#include <limits>
#include <memory>

#include "tamis/types.hpp"

namespace tamis {

// L with LLᵀ = A, in the lower triangle of L, for an A that is positive semidefinite but known only
// up to a relative `rounding`. Where no more than that is left of a pivot, A is singular as far as
// anyone can tell: then as little as possible is added to its diagonal, in proportion to it, and
// the result is true. Diagonal entries of 0, whose rows and columns are 0, become positive: that
// decides nothing.
bool safe_cholesky(Matrix<float>& A, double rounding, Matrix<float>& L);
bool safe_cholesky(Matrix<double>& A, double rounding, Matrix<double>& L);
// With rounding errors of A's own precision
template <class T>
bool safe_cholesky(Matrix<T>& A, Matrix<T>& L) {
  return safe_cholesky(A, double(std::numeric_limits<T>::epsilon()), L);
}

// The same in place of A: false if it is not positive definite.
bool try_cholesky(MatrixRef<double> A);
// x ← (LLᵀ)⁻¹x, L in the lower triangle
void solve_with_factor(ConstMatrixRef<double> L, VectorRef<double> x);

// Eigenvalues (ascending) and eigenvectors of symmetric matrices, in double. Keeps its memory from
// call to call; a copy begins with its own.
class SymmetricEigen {
 public:
  SymmetricEigen();
  ~SymmetricEigen();
  SymmetricEigen(const SymmetricEigen& other);
  SymmetricEigen& operator=(const SymmetricEigen& other);

  template <class T>
  void compute(const Matrix<T>& A);
  // Of G = WᵀW it is ‖W‖₂².
  template <class T>
  double largest_value(const Matrix<T>& A);

  // Of the latest compute
  const Vector<double>& values() const;
  const Matrix<double>& vectors() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tamis
