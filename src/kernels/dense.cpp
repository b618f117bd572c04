#include "kernels/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

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

bool try_cholesky(MatrixRef<double> A) {
  return Eigen::LLT<Eigen::Ref<Matrix<double>>>(A).info() == Eigen::Success;
}

void safe_cholesky(Matrix<double>& A, double rounding, Matrix<double>& L) {
  double ridge = rounding * A.trace() / double(A.cols());
  for (L = A; !try_cholesky(L); L = A, ridge *= 10) {
    if (!(ridge > 0) || !std::isfinite(ridge)) return;  // A is nothing that could be mended
    A.diagonal().array() += ridge;
  }
}

void solve_with_factor(ConstMatrixRef<double> L, VectorRef<double> x) {
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

struct SymmetricEigen::Memory {
  Matrix<double> A;
  Eigen::SelfAdjointEigenSolver<Matrix<double>> solver;
};

SymmetricEigen::SymmetricEigen() : memory_(std::make_unique<Memory>()) {}
SymmetricEigen::~SymmetricEigen() = default;
SymmetricEigen::SymmetricEigen(const SymmetricEigen&) : SymmetricEigen() {}
SymmetricEigen& SymmetricEigen::operator=(const SymmetricEigen&) { return *this; }

template <class T>
void SymmetricEigen::compute(const Matrix<T>& A) {
  memory_->A = A.template cast<double>();
  memory_->solver.compute(memory_->A);
}

template <class T>
double SymmetricEigen::largest_value(const Matrix<T>& A) {
  memory_->A = A.template cast<double>();
  return memory_->solver.compute(memory_->A, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

const Vector<double>& SymmetricEigen::values() const { return memory_->solver.eigenvalues(); }
const Matrix<double>& SymmetricEigen::vectors() const { return memory_->solver.eigenvectors(); }

template void SymmetricEigen::compute(const Matrix<float>&);
template void SymmetricEigen::compute(const Matrix<double>&);
template double SymmetricEigen::largest_value(const Matrix<float>&);
template double SymmetricEigen::largest_value(const Matrix<double>&);

}  // namespace tamis
