#include "kernels/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace tamis {
namespace {

template <class T>
void factor_in_place(const Matrix<T>& A, Matrix<T>& L) {
  L = A;
  [[maybe_unused]] const Eigen::LLT<Eigen::Ref<Matrix<T>>> factor(L);
  eigen_assert(factor.info() == Eigen::Success);
}

}  // namespace

void cholesky(const Matrix<float>& A, Matrix<float>& L) { factor_in_place(A, L); }
void cholesky(const Matrix<double>& A, Matrix<double>& L) { factor_in_place(A, L); }

SymmetricEigen symmetric_eigen(const Matrix<double>& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

struct SpectralNorm::Memory {
  Matrix<double> G;
  Eigen::SelfAdjointEigenSolver<Matrix<double>> solver;
};

SpectralNorm::SpectralNorm() : memory_(std::make_unique<Memory>()) {}
SpectralNorm::~SpectralNorm() = default;
SpectralNorm::SpectralNorm(const SpectralNorm&) : SpectralNorm() {}
SpectralNorm& SpectralNorm::operator=(const SpectralNorm&) { return *this; }

template <class T>
double SpectralNorm::squared(const Matrix<T>& G) {
  memory_->G = G.template cast<double>();
  return memory_->solver.compute(memory_->G, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

template double SpectralNorm::squared(const Matrix<float>&);
template double SpectralNorm::squared(const Matrix<double>&);

}  // namespace tamis
