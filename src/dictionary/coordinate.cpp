#include "dictionary/coordinate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/blas.hpp"
#include "kernels/panel.hpp"
#include "kernels/rescale.hpp"

namespace tamis {
namespace {

// What a sweep changed, to stop when it is little
struct Change {
  double moved = 0;
  double size = 0;
  bool small(double tolerance) const {
    return tolerance > 0 && moved <= tolerance * tolerance * size;
  }
};

}  // namespace

template <class T>
template <class Project>
void CoordinateUpdate<T>::sweep_columns(const DictionaryProblem<T>& problem, const Rule& rule,
                                        const Project& project, Matrix<T>& W) {
  // Atoms per block: B − WA of a block is one product, a step of one atom then corrects those that
  // follow in it.
  constexpr Index block = 16;
  for (Index sweep = 0; sweep < rule.sweeps; ++sweep) {
    Change change;
    for (Index left = 0; left < W.cols(); left += block) {
      const Index n = std::min(block, W.cols() - left);
      const auto A = problem.A.middleCols(left, n);
      D_ = problem.B.middleCols(left, n);
      blas::gemm('N', 'N', T(-1), W, A, T(1), D_);
      for (Index j = 0; j < n; ++j) {
        if (is_dead(problem.A, left + j)) continue;
        const T inverse = 1 / problem.A(left + j, left + j);
        auto w = W.col(left + j);
        // w_j ← P_C(w_j + (b_j − W a_j)/A_jj)
        step_ = w + inverse * D_.col(j);
        project(step_, inverse);
        change.size += double(step_.squaredNorm());
        step_.swap(w);
        step_ = w - step_;  // what it moved by
        change.moved += double(step_.squaredNorm());
        for (Index later = j + 1; later < n; ++later) D_.col(later) -= A(left + j, later) * step_;
      }
    }
    if (change.small(rule.tolerance)) return;
  }
}

template <class T>
void CoordinateUpdate<T>::update_projected(const DictionaryProblem<T>& problem, const Rule& rule,
                                           Matrix<T>& W) {
  sweep_columns(
      problem, rule, [&](Vector<T>& w, T inverse) { problem.prox(w, inverse); }, W);
}

template <class T>
void CoordinateUpdate<T>::update_normalised(const DictionaryProblem<T>& problem, const Rule& rule,
                                            Matrix<T>& W) {
  sweep_columns(
      problem, rule,
      [](Vector<T>& w, T) {
        if (const T norm = w.stableNorm(); norm > 0) w /= norm;
      },
      W);
}

template <class T>
void CoordinateUpdate<T>::update_free(const Matrix<double>& A, const Matrix<double>& B,
                                      const Rule& rule, T least, const Executor& executor,
                                      Matrix<T>& W, Rescaling<T>* rescaling) {
  A_ = A.template cast<T>();
  inverse_.resize(W.cols());
  const double alive = least_use(A_);
  for (Index j = 0; j < W.cols(); ++j) inverse_[j] = A_(j, j) > T(alive) ? 1 / A_(j, j) : T(0);
  if (rescaling != nullptr) rescaling->expect(W.rows(), W.cols());
  executor.for_each_row_block(W.rows(), W.cols(), [&](Index begin, Index end, int) {
    const Index rows = end - begin;
    kernels::sweep<T>(kernels::Panel<const T>(A_),
                      kernels::Panel<const double>(B.middleRows(begin, rows)), inverse_.data(),
                      rule.sweeps, T(rule.tolerance), least,
                      kernels::Panel<T>(W.middleRows(begin, rows)));
    if (rescaling != nullptr) rescaling->measure(W, begin, rows);
  });
}

template <class T>
void Rescaling<T>::expect(Index F, Index K) {
  block_ = row_block(F, K);
  squares_.resize(K, (F + block_ - 1) / block_);
}

template <class T>
void Rescaling<T>::measure(const Matrix<T>& W, Index begin, Index rows) {
  for (Index j = 0; j < W.cols(); ++j)
    squares_(j, begin / block_) = kernels::sum_of_squares(&W(begin, j), rows);
}

template <class T>
void Rescaling<T>::to_unit_columns(const Executor& executor, Matrix<T>& W, Matrix<double>& A,
                                   Matrix<double>& B) {
  const Index F = W.rows();
  const Index K = W.cols();
  norms_.resize(K);
  for (Index j = 0; j < K; ++j) {
    const double sum = squares_.row(j).sum();
    const bool safe = sum > 1e-200 && sum < 1e200;
    const double norm = safe ? std::sqrt(sum) : double(W.col(j).stableNorm());
    norms_[j] = norm > 0 ? norm : 1;
  }
  // In two steps, since the last rows of a column share a cache line with the first of the next: so
  // it is not at the same time that two threads write to it.
  executor.for_each_row_block(F, K, [&](Index begin, Index end, int) {
    const Index middle = begin + (end - begin) / 2;
    for (const auto& [top, bottom] : {std::pair(begin, middle), std::pair(middle, end)})
      for (Index j = 0; j < K; ++j)
        kernels::rescale(&W(top, j), &B(top, j), bottom - top, norms_[j]);
  });
  for (Index j = 0; j < K; ++j) A.col(j).array() *= norms_[j] * norms_.array();
}

template class CoordinateUpdate<float>;
template class CoordinateUpdate<double>;
template class Rescaling<float>;
template class Rescaling<double>;

}  // namespace tamis
