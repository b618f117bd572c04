// Factorizations of small dense matrices. They live in one file because Eigen's take long to
// compile.
#pragma once

#include <memory>

#include "tamis/types.hpp"

namespace tamis {

// L with LLᵀ = A, in the lower triangle of L. A must be safely positive definite, as with a ridge
// added.
void cholesky(const Matrix<float>& A, Matrix<float>& L);
void cholesky(const Matrix<double>& A, Matrix<double>& L);

// The same in place of A: false if it is not positive definite.
bool try_cholesky(MatrixRef<double> A);
// The same for an A that ought to be positive definite but is only known up to a relative
// `rounding`: if that is what spoils it, as little as possible is added to its diagonal.
void safe_cholesky(Matrix<double>& A, double rounding, Matrix<double>& L);
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
