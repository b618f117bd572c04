#include "algorithm/badmm.hpp"

#include "encoder/admm.hpp"
#include "kernels/blas.hpp"
#include "kernels/dense.hpp"
#include "tamis/error.hpp"

namespace tamis {

template <class T>
void BadmmAlgorithm<T>::encode(const Matrix<T>& Psi, const Problem<T>& problem,
                               const Executor& executor, Batch<T>& batch) {
  const bool first = H_.size() == 0;
  if (!first) {
    check_resumed_shapes(batch, {&H_, &U_, &alpha_}, {&Y_, &Q_, &beta_});
    for (const auto* X : {&W_, &D_})
      if (X->rows() != Psi.rows() || X->cols() != Psi.cols())
        throw DataError("the saved copies of W do not belong to the model beside them");
  }
  if (first) {
    for (auto* X : {&H_, &U_, &alpha_}) X->setZero(Psi.cols(), batch.size());
    for (auto* X : {&Y_, &Q_, &beta_}) X->setZero(Psi.rows(), batch.size());
    W_ = Psi;
    D_.setZero(Psi.rows(), Psi.cols());
  }
  ridge_.resize(W_.cols(), W_.cols());
  blas::gemm('T', 'N', T(1), W_, W_, T(0), ridge_);
  ridge_.diagonal().array() += T(settings_.rho1);
  codes_regularized_ = safe_cholesky(ridge_, factor_);
  blocks_.run(executor, batch,
              [&](Index begin, Index end, Scratch& scratch, ResidualHistogram& residuals) {
                if (first) start(problem, batch, begin, end, scratch);
                return iterate(Psi, problem, batch, begin, end, scratch, residuals);
              });
  batch.unsplit_H = &H_;
  batch.unsplit_Y = &Y_;
}

template <class T>
void BadmmAlgorithm<T>::start(const Problem<T>& problem, Batch<T>& batch, Index begin, Index end,
                              Scratch& scratch) {
  const Index n = end - begin;
  auto H = H_.middleCols(begin, n);
  auto P = scratch.P.view(batch.features(), n);
  for (Index j = 0; j < n; ++j) random_.draw_codes(0, begin + j, H.col(j));
  blas::gemm('N', 'N', T(1), W_, H, T(0), P);
  problem.clean(batch.V.middleCols(begin, n), P, Y_.middleCols(begin, n));
  U_.middleCols(begin, n) = H;
  for (Index j = begin; j < end; ++j) outliers_of<T>(batch.V.col(j), Y_.col(j), Q_.col(j));
}

template <class T>
Outcome BadmmAlgorithm<T>::iterate(const Matrix<T>& Psi, const Problem<T>& problem, Batch<T>& batch,
                                   Index begin, Index end, Scratch& scratch,
                                   ResidualHistogram& residuals) {
  const Index n = end - begin;
  const T rho1 = T(settings_.rho1);
  auto H = H_.middleCols(begin, n);
  auto U = U_.middleCols(begin, n);
  auto alpha = alpha_.middleCols(begin, n);
  auto P = scratch.P.view(batch.features(), n);
  auto column = scratch.column.view(W_.rows());
  // H ← (WᵀW + ρ₁I)⁻¹(Wᵀ(V − R) + ρ₁U − A)
  H = rho1 * U - alpha;
  blas::gemm('T', 'N', T(1), W_, Y_.middleCols(begin, n), T(1), H);
  blas::solve_left(factor_, H);
  // R, Q, B
  blas::gemm('N', 'N', T(1), W_, H, T(0), P);
  for (Index j = begin; j < end; ++j) {
    admm_outliers<T>(problem, T(settings_.rho2), batch.V.col(j), P.col(j - begin), column,
                     Q_.col(j), beta_.col(j), Y_.col(j));
  }
  // U ← prox_{ψ/ρ₁}(H + A/ρ₁), A ← A + ρ₁(H − U)
  U = H + alpha / rho1;
  problem.prox_codes(U, 1 / rho1);
  alpha += rho1 * (H - U);

  // the objective at the feasible copies
  batch.H.middleCols(begin, n) = U;
  blas::gemm('N', 'N', T(1), Psi, U, T(0), P);
  auto Y = batch.Y.middleCols(begin, n);
  Y = batch.V.middleCols(begin, n) - Q_.middleCols(begin, n);
  if (batch.has_missing) Y = Y.array().isNaN().select(P, Y);
  for (Index j = begin; j < end; ++j)
    record<T>(problem, P.col(j - begin), j, batch, column, residuals);
  return {1, true};
}

template <class T>
void BadmmAlgorithm<T>::update(const Executor&, const Batch<T>&, const Increment<T>& sums,
                               Model<T>& model) {
  // ρ₃ is relative to sums over samples, not to means.
  const double N = sums.weight();
  const DictionaryPenalty& penalty = model.settings.dictionary_penalty;
  problem_.set(sums.unsplit_A(), sums.unsplit_B(), model.settings.constraint.value(),
               {N * penalty.l1, N * penalty.l2});
  const T rho = T(settings_.rho3);
  atoms_regularized_ = AdmmUpdate<T>::factor(problem_, rho, ridge_, factor_);
  AdmmUpdate<T>::step(problem_, rho, factor_, W_, model.W, D_);
}

// Where an entry is missing no outlier is reported, whatever Y has there.
template <class T>
void BadmmAlgorithm<T>::recall(Batch<T>& batch) const {
  check_resumed_shapes(batch, {&U_}, {&Q_});
  batch.H = U_;
  batch.Y = batch.V - Q_;
}

template class BadmmAlgorithm<float>;
template class BadmmAlgorithm<double>;

}  // namespace tamis
