#include "encoder/nnls.hpp"

#include <algorithm>
#include <limits>

#include "encoder/row_steps.hpp"
#include "kernels/dense.hpp"

namespace tamis {
namespace {

// Which of the wrong atoms to exchange: all of them, as long as that helps.
class ExchangeRule {
 public:
  explicit ExchangeRule(Index K) : fewest_(K + 1) {}
  bool all(Index wrong) {
    if (wrong < fewest_) {
      fewest_ = wrong;
      patience_ = 3;
      return true;
    }
    return patience_-- > 0;
  }

 private:
  Index fewest_;
  int patience_ = 3;
};

}  // namespace

template <class T>
void NnlsEncoder<T>::prepare(const Matrix<T>& W, const Rule& rule, const Executor& executor) {
  rule_ = rule;
  G_ = gram(W, executor, G_parts_).template cast<double>();
  // It was summed up in single precision, if that is the model's.
  regularized_ = safe_cholesky(G_, double(std::numeric_limits<T>::epsilon()), factor_);
}

// G_PP is factored as safely as all of G was, but in another order: the same ridge again, if that
// should not be enough.
template <class T>
void NnlsEncoder<T>::factor_part(const std::vector<Index>& P, MatrixRef<double> factor) const {
  constexpr auto rounding = double(std::numeric_limits<T>::epsilon());
  for (double ridge = 0; ridge < 1; ridge = std::max(rounding, 10 * ridge)) {
    for (Index j = 0; j < factor.cols(); ++j) {
      for (Index i = j; i < factor.rows(); ++i)
        factor(i, j) = G_(P[std::size_t(i)], P[std::size_t(j)]);
      factor(j, j) *= 1 + ridge;
    }
    if (try_cholesky(factor)) return;
  }
}

template <class T>
Outcome NnlsEncoder<T>::solve(Scratch& m) const {
  const Index K = G_.cols();
  const auto s = m.s.view(K);
  auto h = m.h.view(K);
  auto gradient = m.gradient.view(K);
  m.positive.reserve(std::size_t(K));
  m.is_positive.resize(std::size_t(K));
  // least squares
  h = s;
  solve_with_factor(factor_, h);
  for (Index k = 0; k < K; ++k) m.is_positive[std::size_t(k)] = h[k] > 0;

  const double small = rule_.tolerance * s.cwiseAbs().maxCoeff();
  ExchangeRule exchange(K);
  for (Outcome outcome{1, true};; ++outcome.iterations) {
    m.positive.clear();
    for (Index k = 0; k < K; ++k)
      if (m.is_positive[std::size_t(k)]) m.positive.push_back(k);
    // h_P = G_PP⁻¹s_P, g = Gh − s
    const auto p = Index(m.positive.size());
    auto factor = m.factor.view(p, p);
    auto part = m.part.view(p);
    factor_part(m.positive, factor);
    for (Index j = 0; j < p; ++j) part[j] = s[m.positive[std::size_t(j)]];
    solve_with_factor(factor, part);
    h.setZero();
    gradient = -s;
    for (Index j = 0; j < p; ++j) {
      const Index k = m.positive[std::size_t(j)];
      h[k] = part[j];
      gradient += part[j] * G_.col(k);
    }

    const double tiny = rule_.tolerance * h.cwiseAbs().maxCoeff();
    const auto is_wrong = [&](Index k) {
      return m.is_positive[std::size_t(k)] ? h[k] < -tiny : gradient[k] < -small;
    };
    Index wrong = 0;
    Index last = 0;
    for (Index k = 0; k < K; ++k) {
      if (!is_wrong(k)) continue;
      ++wrong;
      last = k;
    }
    outcome.converged = wrong == 0;
    if (wrong == 0 || outcome.iterations == rule_.iterations) {
      h = h.cwiseMax(0.0);
      return outcome;
    }
    for (Index k = exchange.all(wrong) ? 0 : last; k <= last; ++k)
      if (is_wrong(k)) m.is_positive[std::size_t(k)] ^= 1;
  }
}

template <class T>
Outcome NnlsEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                               const Executor& executor, Batch<T>& batch, Index begin, Index end,
                               Scratch& scratch, ResidualHistogram& residuals) const {
  const Index n = end - begin;
  const auto V = batch.samples.values.middle_cols(begin, n);
  auto S = scratch.S.view(n, W.cols());
  sum_over_rows<T>(encoding_tasks(W.rows(), W.cols(), true), executor, kernels::Panel<T>(S),
                   scratch.task_sums,
                   [&](kernels::Panel<T> sums, Index, int, Index top, Index rows, bool first) {
                     kernels::back_product<T>(kernels::Panel<const T>(W.middleRows(top, rows)),
                                              V.middle_rows(top, rows), !first, sums);
                   });
  Outcome outcome;
  for (Index j = 0; j < n; ++j) {
    scratch.s.view(W.cols()) = S.row(j).transpose().template cast<double>();
    outcome.merge(solve(scratch));
    batch.H.col(begin + j) = scratch.h.view(W.cols()).template cast<T>();
  }
  finish_block(W, problem, executor, batch, begin, end, scratch.finish, residuals);
  return outcome;
}

template class NnlsEncoder<float>;
template class NnlsEncoder<double>;

}  // namespace tamis
