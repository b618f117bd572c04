#include "encoder/admm.hpp"

#include <cmath>

#include "encoder/narrow_products.hpp"
#include "encoder/settle.hpp"
#include "kernels/blas.hpp"
#include "kernels/clean.hpp"
#include "kernels/dense.hpp"

namespace tamis {
namespace {

template <class T>
struct Block {
  using View = typename Buffer<T>::View;

  const Matrix<T>& W;
  const Matrix<T>& factor;  // of WᵀW + ρ₁I
  const Oadmm& settings;
  const Problem<T>& problem;
  Batch<T>& batch;
  std::vector<Index>& sample;  // which sample of the batch a column is
  View V, P, Y, R, Q, beta;    // F×n: samples, Wh, v − r, r, its bounded copy and dual
  View H, U, alpha;            // K×n: codes, their nonnegative copy and dual
  Buffer<T>& transposed;       // n×K
  typename Buffer<T>::ColumnView column;
  ResidualHistogram& residuals;

  void start(const RandomStart<T>& random, Index begin) {
    V = batch.V.middleCols(begin, V.cols());
    for (Index j = 0; j < V.cols(); ++j) {
      sample[std::size_t(j)] = begin + j;
      random.draw(batch.epoch, batch.first + begin + j, problem.outlier_set, H.col(j), R.col(j));
    }
    U = H;
    Q = R;
    Y = V - R;
    alpha.setZero();
    beta.setZero();
    narrow_product<T>(W, H, transposed, P);
    if (batch.has_missing) Y = Y.array().isNaN().select(P, Y);
  }

  void step(Index running) {
    const T rho1 = T(settings.rho1);
    auto h = H.leftCols(running);
    auto u = U.leftCols(running);
    auto a = alpha.leftCols(running);
    auto p = P.leftCols(running);
    // h ← (WᵀW + ρ₁I)⁻¹(Wᵀ(v − r) + ρ₁u − α)
    h = rho1 * u - a;
    h += narrow_back_product<T>(W, Y.leftCols(running), transposed).transpose();
    blas::solve_left(factor, h);
    // r, q, β
    narrow_product<T>(W, h, transposed, p);
    for (Index j = 0; j < running; ++j) {
      admm_outliers<T>(problem, T(settings.rho2), V.col(j), P.col(j), R.col(j), Q.col(j),
                       beta.col(j), Y.col(j));
    }
    // u ← prox_{ψ/ρ₁}(h + α/ρ₁), α ← α + ρ₁(h − u)
    u = h + a / rho1;
    problem.prox_codes(u, 1 / rho1);
    a += rho1 * (h - u);
  }

  double loss(Index j) {
    return problem.loss(V.col(j), P.col(j), Y.col(j), U.col(j), column).total();
  }

  // The feasible copies are the result: h = u, r = q.
  void finish(Index j) {
    const Index s = sample[std::size_t(j)];
    batch.H.col(s) = U.col(j);
    auto p = P.col(j);
    narrow_product<T>(W, U.col(j), transposed, p);
    for (Index i = 0; i < V.rows(); ++i)
      batch.Y(i, s) = std::isnan(V(i, j)) ? p[i] : V(i, j) - Q(i, j);
    record<T>(problem, p, s, batch, column, residuals);
  }

  void move(Index from, Index to) {
    move_columns(from, to, V, P, Y, R, Q, beta, H, U, alpha);
    sample[std::size_t(to)] = sample[std::size_t(from)];
  }
};

}  // namespace

template <class T>
void admm_outliers(const Problem<T>& problem, T rho2, ConstVectorRef<T> v, ConstVectorRef<T> p,
                   VectorRef<T> r, VectorRef<T> q, VectorRef<T> beta, VectorRef<T> y) {
  r = (rho2 * q + v - beta - p) / (1 + rho2);  // NaN where v is missing
  problem.prox_outliers_unbounded(r, 1 / (1 + rho2));
  kernels::settle_outliers(
      kernels::OutlierCopies<T>{v.data(), p.data(), r.data(), q.data(), beta.data(), y.data()},
      v.size(), rho2, problem.outlier_set.low, problem.outlier_set.high);
}

template <class T>
void AdmmEncoder<T>::prepare(const Matrix<T>& W, const Oadmm& settings) {
  settings_ = settings;
  G_.resize(W.cols(), W.cols());
  blas::gemm('T', 'N', T(1), W, W, T(0), G_);
  G_.diagonal().array() += T(settings.rho1);
  regularized_ = safe_cholesky(G_, factor_);
}

template <class T>
Outcome AdmmEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                               const RandomStart<T>& random, Batch<T>& batch, Index begin,
                               Index end, Scratch& s, ResidualHistogram& residuals) const {
  const Index F = W.rows();
  const Index K = W.cols();
  const Index n = end - begin;
  s.sample.resize(std::size_t(n));
  Block<T> block{W,
                 factor_,
                 settings_,
                 problem,
                 batch,
                 s.sample,
                 s.V.view(F, n),
                 s.P.view(F, n),
                 s.Y.view(F, n),
                 s.R.view(F, n),
                 s.Q.view(F, n),
                 s.beta.view(F, n),
                 s.H.view(K, n),
                 s.U.view(K, n),
                 s.alpha.view(K, n),
                 s.transposed,
                 s.column.view(F),
                 residuals};
  block.start(random, begin);
  return iterate_until_settled(settings_.stopping, n, s.loss, block);
}

template void admm_outliers(const Problem<float>&, float, ConstVectorRef<float>,
                            ConstVectorRef<float>, VectorRef<float>, VectorRef<float>,
                            VectorRef<float>, VectorRef<float>);
template void admm_outliers(const Problem<double>&, double, ConstVectorRef<double>,
                            ConstVectorRef<double>, VectorRef<double>, VectorRef<double>,
                            VectorRef<double>, VectorRef<double>);
template class AdmmEncoder<float>;
template class AdmmEncoder<double>;

}  // namespace tamis
