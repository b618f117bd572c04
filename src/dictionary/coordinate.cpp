#include "dictionary/coordinate.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/blas.hpp"
#include "kernels/panel.hpp"

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

// Atoms per task: a task should be worth starting.
Index rescaled_atoms(Index F) {
  return std::max<Index>(1, (Index(1) << 15) / std::max<Index>(F, 1));
}

}  // namespace

template <class T>
void CoordinateUpdate<T>::update_projected(const DictionaryProblem<T>& problem, const Rule& rule,
                                           Matrix<T>& W) {
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
        problem.prox(step_, inverse);
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
void CoordinateUpdate<T>::update_free(const Matrix<double>& A, const Matrix<double>& B,
                                      const Rule& rule, const Executor& executor, Matrix<T>& W) {
  A_ = A.template cast<T>();
  inverse_.resize(W.cols());
  for (Index j = 0; j < W.cols(); ++j) inverse_[j] = is_dead(A_, j) ? T(0) : 1 / A_(j, j);
  executor.for_each_block(W.rows(), row_block(W.rows()), [&](Index begin, Index end, int) {
    const Index rows = end - begin;
    kernels::sweep<T>(kernels::Panel<const T>(A_),
                      kernels::Panel<const double>(B.middleRows(begin, rows)), inverse_.data(),
                      rule.sweeps, T(rule.tolerance), kernels::Panel<T>(W.middleRows(begin, rows)));
  });
}

template <class T>
void rescale_to_unit_columns(const Executor& executor, Matrix<T>& W, Matrix<double>& A,
                             Matrix<double>& B, Vector<double>& norms) {
  norms.resize(W.cols());
  // One column is one sum, whoever makes it.
  executor.for_each_block(W.cols(), rescaled_atoms(W.rows()), [&](Index begin, Index end, int) {
    for (Index j = begin; j < end; ++j) {
      const double squares = W.col(j).template cast<double>().squaredNorm();
      const bool safe = squares > 1e-200 && squares < 1e200;
      const double norm = safe ? std::sqrt(squares) : double(W.col(j).stableNorm());
      norms[j] = norm > 0 ? norm : 1;
      W.col(j) /= T(norms[j]);
      B.col(j) *= norms[j];
    }
  });
  A = norms.asDiagonal() * A * norms.asDiagonal();
}

template class CoordinateUpdate<float>;
template class CoordinateUpdate<double>;
template void rescale_to_unit_columns(const Executor&, Matrix<float>&, Matrix<double>&,
                                      Matrix<double>&, Vector<double>&);
template void rescale_to_unit_columns(const Executor&, Matrix<double>&, Matrix<double>&,
                                      Matrix<double>&, Vector<double>&);

}  // namespace tamis
