#include "encoder/ridge_solver.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/blas.hpp"
#include "kernels/inverse.hpp"
#include "precision.hpp"

namespace tamis {

template <class T>
void RidgeSolver<T>::prepare(Matrix<T>& G, double rho, bool one_rho) {
  const Index K = G.cols();
  const T mean_square = G.trace() / T(K);
  // ρ is no part of the problem, so it may be as large as the precision needs: the condition number
  // is at most K/ρ. And atoms whose squares vanish are as good as none.
  const T least = 100 * std::numeric_limits<T>::epsilon() * T(K);
  rho_ = mean_square > least_square<T> ? std::max(T(rho), least) * mean_square : T(1);
  one_rho_ = one_rho;
  if (!one_rho) {
    eigen_.compute(G);
    Q_ = eigen_.vectors().template cast<T>();
    Q_transposed_ = Q_.transpose();
    eigenvalues_ = eigen_.values().cwiseMax(0.0).template cast<T>();
    return;
  }
  constexpr Index small = 128;  // fits into the first-level cache
  G.diagonal().array() += rho_;
  if (K <= small) {
    inverse_ = G;
    kernels::invert_definite(inverse_, memory_);
    return;
  }
  safe_cholesky(G, factor_);
  inverse_.setIdentity(K, K);
  blas::solve_left(factor_, inverse_);
}

template <class T>
void RidgeSolver<T>::solve(kernels::CodeBlock<T>& b) const {
  using kernels::Panel;
  const Panel<T> x(b.U_previous, b.stride, b.n, b.K);
  const Panel<T> h(b.H, b.stride, b.n, b.K);
  if (one_rho_) {
    kernels::product<T>(x, Panel<const T>(inverse_), h);
    return;
  }
  kernels::product<T>(x, Panel<const T>(Q_transposed_), h);
  kernels::divide(b, eigenvalues_.data());
  kernels::product<T>(h, Panel<const T>(Q_), x);
  std::swap(b.H, b.U_previous);
}

template class RidgeSolver<float>;
template class RidgeSolver<double>;

}  // namespace tamis
