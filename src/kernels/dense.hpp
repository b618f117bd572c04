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

// Eigenvalues (ascending) and eigenvectors of a symmetric matrix.
struct SymmetricEigen {
  Vector<double> values;
  Matrix<double> vectors;
};
SymmetricEigen symmetric_eigen(const Matrix<double>& A);

// ‖W‖₂², the largest eigenvalue of G = WᵀW. Keeps its memory from call to call.
class SpectralNorm {
 public:
  SpectralNorm();
  ~SpectralNorm();
  SpectralNorm(const SpectralNorm& other);
  SpectralNorm& operator=(const SpectralNorm& other);

  template <class T>
  double squared(const Matrix<T>& G);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tamis
