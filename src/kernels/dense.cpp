#include "kernels/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace tamis {
namespace {

template <class T>
bool is_factored(const Matrix<T>& A, double rounding, Matrix<T>& L) {
  L = A;
  if (Eigen::LLT<Eigen::Ref<Matrix<T>>>(L).info() != Eigen::Success) return false;
  for (Index j = 0; j < A.cols(); ++j) {
    const double pivot = double(L(j, j)) * double(L(j, j));
    if (!(pivot > rounding * double(A(j, j)))) return false;
  }
  return true;
}

template <class T>
void fill_empty_diagonal(Matrix<T>& A) {
  const T mean = A.trace() / T(A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    if (A(j, j) == 0) A(j, j) = mean > 0 ? mean : T(1);
}

template <class T>
bool factor(Matrix<T>& A, double rounding, Matrix<T>& L) {
  fill_empty_diagonal(A);
  // With A_jj(1 + K) the diagonal dominates. More does not help: then A is not finite.
  const double most = 10 * double(A.cols());
  bool changed = false;
  for (double ridge = rounding; !is_factored(A, rounding, L) && ridge < most; ridge *= 10) {
    A.diagonal() *= T(1 + ridge);
    changed = true;
  }
  return changed;
}

}  // namespace

bool safe_cholesky(Matrix<float>& A, double rounding, Matrix<float>& L) {
  return factor(A, rounding, L);
}
bool safe_cholesky(Matrix<double>& A, double rounding, Matrix<double>& L) {
  return factor(A, rounding, L);
}

bool try_cholesky(MatrixRef<double> A) {
  return Eigen::LLT<Eigen::Ref<Matrix<double>>>(A).info() == Eigen::Success;
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
