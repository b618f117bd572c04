#include "encoder/pgd.hpp"

#include "encoder/narrow_products.hpp"
#include "encoder/settle.hpp"
#include "kernels/blas.hpp"
#include "precision.hpp"

namespace tamis {
namespace {

template <class T>
struct Block {
  using View = typename Buffer<T>::View;

  const Matrix<T>& W;
  const Matrix<T>& G;  // WᵀW
  T step_size;         // κ/L
  const Problem<T>& problem;
  Batch<T>& batch;
  std::vector<Index>& sample;  // which sample of the batch a column is
  View V, P, Y;                // F×n: samples, Wh, v − r
  View H, gradient;            // K×n: codes, gradient
  Buffer<T>& transposed;       // n×K
  typename Buffer<T>::ColumnView column;
  ResidualHistogram& residuals;

  void start(const RandomStart<T>& random, Index begin) {
    V = batch.V.middleCols(begin, V.cols());
    for (Index j = 0; j < V.cols(); ++j) {
      sample[std::size_t(j)] = begin + j;
      random.draw(batch.epoch, batch.first + begin + j, problem.outlier_set, H.col(j), column);
      Y.col(j) = V.col(j) - column;
    }
    narrow_product<T>(W, H, transposed, P);
    if (batch.has_missing) Y = Y.array().isNaN().select(P, Y);
  }

  void step(Index running) {
    auto h = H.leftCols(running);
    auto p = P.leftCols(running);
    auto y = Y.leftCols(running);
    // h ← prox_{(κ/L)ψ}(h − (κ/L)Wᵀ(Wh + r − v)), with Wᵀ(Wh + r − v) = Gh − Wᵀ(v − r)
    narrow_product<T>(G, h, transposed, gradient.leftCols(running));
    gradient.leftCols(running) -= narrow_back_product<T>(W, y, transposed).transpose();
    h -= step_size * gradient.leftCols(running);
    problem.prox_codes(h, step_size);
    // r ← prox_φ(v − Wh)
    narrow_product<T>(W, h, transposed, p);
    problem.clean(V.leftCols(running), p, y);
  }

  double loss(Index j) {
    return problem.loss(V.col(j), P.col(j), Y.col(j), H.col(j), column).total();
  }

  void finish(Index j) {
    const Index s = sample[std::size_t(j)];
    batch.H.col(s) = H.col(j);
    batch.Y.col(s) = Y.col(j);
    record<T>(problem, P.col(j), s, batch, column, residuals);
  }

  void move(Index from, Index to) {
    move_columns(from, to, V, P, Y, H);
    sample[std::size_t(to)] = sample[std::size_t(from)];
  }
};

}  // namespace

template <class T>
void PgdEncoder<T>::prepare(const Matrix<T>& W, const Opgd& settings) {
  settings_ = settings;
  G_.resize(W.cols(), W.cols());
  blas::gemm('T', 'N', T(1), W, W, T(0), G_);
  const T L = T(eigen_.largest_value(G_));
  // With atoms that have vanished there is nothing to be gained, only overflow.
  step_ = L > least_square<T> ? T(settings.kappa_h) / L : T(0);
}

template <class T>
Outcome PgdEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                              const RandomStart<T>& random, Batch<T>& batch, Index begin, Index end,
                              Scratch& s, ResidualHistogram& residuals) const {
  const Index F = W.rows();
  const Index K = W.cols();
  const Index n = end - begin;
  s.sample.resize(std::size_t(n));
  Block<T> block{W,
                 G_,
                 step_,
                 problem,
                 batch,
                 s.sample,
                 s.V.view(F, n),
                 s.P.view(F, n),
                 s.Y.view(F, n),
                 s.H.view(K, n),
                 s.gradient.view(K, n),
                 s.transposed,
                 s.column.view(F),
                 residuals};
  block.start(random, begin);
  return iterate_until_settled(settings_.stopping, n, s.loss, block);
}

template class PgdEncoder<float>;
template class PgdEncoder<double>;

}  // namespace tamis
