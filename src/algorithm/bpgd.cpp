#include "algorithm/bpgd.hpp"

#include "kernels/blas.hpp"
#include "precision.hpp"

namespace tamis {

template <class T>
void BpgdAlgorithm<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                              const Executor& executor, Batch<T>& batch) {
  const bool first = H_.size() == 0;
  if (!first) check_resumed_shapes(batch, {&H_}, {&Y_});
  H_.resize(W.cols(), batch.size());
  Y_.resize(W.rows(), batch.size());
  G_.resize(W.cols(), W.cols());
  blas::gemm('T', 'N', T(1), W, W, T(0), G_);
  const T L = T(eigen_.largest_value(G_));
  // With atoms that have vanished there is nothing to be gained, only overflow.
  step_ = L > least_square<T> ? T(settings_.kappa_h) / L : T(0);
  blocks_.run(executor, batch,
              [&](Index begin, Index end, Scratch& scratch, ResidualHistogram& residuals) {
                return iterate(W, problem, batch, first, begin, end, scratch, residuals);
              });
}

template <class T>
Outcome BpgdAlgorithm<T>::iterate(const Matrix<T>& W, const Problem<T>& problem, Batch<T>& batch,
                                  bool first, Index begin, Index end, Scratch& scratch,
                                  ResidualHistogram& residuals) {
  const Index n = end - begin;
  const auto V = batch.V.middleCols(begin, n);
  auto H = H_.middleCols(begin, n);
  auto Y = Y_.middleCols(begin, n);
  auto S = scratch.S.view(W.cols(), n);
  auto gradient = scratch.gradient.view(W.cols(), n);
  if (first) {
    auto P = scratch.P.view(batch.features(), n);
    for (Index j = 0; j < n; ++j) random_.draw_codes(0, begin + j, H.col(j));
    blas::gemm('N', 'N', T(1), W, H, T(0), P);
    problem.clean(V, P, Y);
  }
  // H ← prox_{η₁ψ}(H − η₁Wᵀ(WH + R − V)), with Wᵀ(WH + R − V) = GH − WᵀY
  blas::gemm('T', 'N', T(1), W, Y, T(0), S);
  blas::gemm('N', 'N', T(1), G_, H, T(0), gradient);
  H -= step_ * (gradient - S);
  problem.prox_codes(H, step_);
  // R ← prox_φ(V − WH)
  batch.H.middleCols(begin, n) = H;
  finish_block(W, problem, Executor(), batch, begin, end, scratch.finish, residuals);
  Y = batch.Y.middleCols(begin, n);
  return {1, true};
}

template <class T>
void BpgdAlgorithm<T>::update(const Executor&, const Batch<T>&, const Increment<T>&,
                              Model<T>& model) {
  problem_.set(model.A, model.B, model.settings.constraint.value(),
               model.settings.dictionary_penalty);
  update_.update(problem_, {settings_.kappa_w, 0, 1}, model.W);
}

template <class T>
void BpgdAlgorithm<T>::recall(Batch<T>& batch) const {
  check_resumed_shapes(batch, {&H_}, {&Y_});
  batch.H = H_;
  batch.Y = Y_;
}

template class BpgdAlgorithm<float>;
template class BpgdAlgorithm<double>;

}  // namespace tamis
