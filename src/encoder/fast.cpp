#include "encoder/fast.hpp"

#include <cmath>

#include "kernels/blas.hpp"
#include "kernels/dense.hpp"

namespace tamis {
namespace {

// Missing entries start at the mean of the sample's others: a zero would pull the first codes down.
template <class T>
void fill_missing(ConstMatrixRef<T> V, MatrixRef<T> filled) {
  for (Index j = 0; j < V.cols(); ++j) {
    double sum = 0;
    Index seen = 0;
    for (Index i = 0; i < V.rows(); ++i) {
      if (std::isnan(V(i, j))) continue;
      sum += double(V(i, j));
      ++seen;
    }
    const T mean = seen > 0 ? T(sum / double(seen)) : T(0);
    for (Index i = 0; i < V.rows(); ++i) filled(i, j) = std::isnan(V(i, j)) ? mean : V(i, j);
  }
}

template <class T>
bool accurate(ConstMatrixRef<T> H, ConstMatrixRef<T> U, ConstMatrixRef<T> U_previous, T tolerance,
              ConstVectorRef<T> size) {
  for (Index j = 0; j < U.cols(); ++j) {
    const T allowed = tolerance * size[j];
    if (!((H.col(j) - U.col(j)).norm() <= allowed)) return false;
    if (!((U.col(j) - U_previous.col(j)).norm() <= allowed)) return false;
  }
  return true;
}

}  // namespace

template <class T>
void FastEncoder<T>::prepare(const Matrix<T>& W, const Fast& settings) {
  settings_ = settings;
  // G = WᵀW
  G_.resize(W.cols(), W.cols());
  blas::gemm('T', 'N', T(1), W, W, T(0), G_);
  const T mean_square = G_.trace() / T(W.cols());
  rho_ = mean_square > 0 ? T(settings.rho) * mean_square : T(1);
  G_.diagonal().array() += rho_;
  cholesky(G_, factor_);
}

// u = P₊((G+ρI)⁻¹Wᵀv)
template <class T>
void FastEncoder<T>::start(const Matrix<T>& W, ConstMatrixRef<T> V, bool has_missing,
                           Scratch& scratch, View U) const {
  if (has_missing) {
    auto filled = scratch.whole.view(V.rows(), V.cols());
    fill_missing<T>(V, filled);
    blas::gemm('T', 'N', T(1), W, filled, T(0), U);
  } else {
    blas::gemm('T', 'N', T(1), W, V, T(0), U);
  }
  blas::solve_left(factor_, U);
  scratch.size.view(V.cols()) = U.colwise().norm();
  U = U.cwiseMax(T(0));
}

// S ← Wᵀ(v − r) with the best outliers r for the codes X
template <class T>
void FastEncoder<T>::back_project(const Matrix<T>& W, const Problem<T>& problem,
                                  ConstMatrixRef<T> V, View X, Scratch& scratch, View S) const {
  const Index F = V.rows();
  const Index panel = problem.entrywise() ? row_block : F;
  for (Index top = 0; top < F; top += panel) {
    const Index rows = std::min(panel, F - top);
    auto P = scratch.P.view(rows, V.cols());
    auto Y = scratch.Y.view(rows, V.cols());
    blas::gemm('N', 'N', T(1), W.middleRows(top, rows), X, T(0), P);
    problem.clean(V.middleRows(top, rows), P, Y);
    blas::gemm('T', 'N', T(1), W.middleRows(top, rows), Y, T(top == 0 ? 0 : 1), S);
  }
}

template <class T>
Outcome FastEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem, Batch<T>& batch,
                               Index begin, Index end, Scratch& scratch) const {
  const Index K = W.cols();
  const Index n = end - begin;
  const auto V = batch.V.middleCols(begin, n);
  auto S = scratch.S.view(K, n);
  auto H = scratch.H.view(K, n);
  auto U = scratch.U.view(K, n);
  auto U_previous = scratch.U_previous.view(K, n);
  auto alpha = scratch.alpha.view(K, n);
  const T relaxation = T(settings_.relaxation);
  const bool check = settings_.tolerance > 0;
  Outcome outcome{0, !check};

  start(W, V, batch.has_missing, scratch, U);
  alpha.setZero();
  back_project(W, problem, V, U, scratch, S);
  while (outcome.iterations < settings_.iterations) {
    ++outcome.iterations;
    // h ← (G+ρI)⁻¹(Wᵀ(v − r) + ρu − α)
    H = S + rho_ * U - alpha;
    blas::solve_left(factor_, H);
    // r ← prox_φ(v − Wh), needed only if another iteration follows
    if (outcome.iterations < settings_.iterations) back_project(W, problem, V, H, scratch, S);
    // ĥ ← 1.6h − 0.6u;  u ← prox_{ψ/ρ}(ĥ + α/ρ);  α ← α + ρ(ĥ − u)
    U_previous = U;
    alpha += rho_ * (relaxation * H + (1 - relaxation) * U);
    U = alpha / rho_;
    problem.prox_codes(U, 1 / rho_);
    alpha -= rho_ * U;
    if (check && accurate<T>(H, U, U_previous, T(settings_.tolerance), scratch.size.view(n))) {
      outcome.converged = true;
      break;
    }
  }

  // return h = u, r = prox_φ(v − Wu)
  batch.H.middleCols(begin, n) = U;
  auto P = batch.P.middleCols(begin, n);
  blas::gemm('N', 'N', T(1), W, U, T(0), P);
  problem.clean(V, P, batch.Y.middleCols(begin, n));
  record_losses<T>(problem, batch, begin, end, scratch.column.view(W.rows()));
  return outcome;
}

template class FastEncoder<float>;
template class FastEncoder<double>;

}  // namespace tamis
