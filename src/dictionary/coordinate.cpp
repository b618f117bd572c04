#include "dictionary/coordinate.hpp"

#include <cmath>

#include "kernels/blas.hpp"

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
void CoordinateUpdate<T>::update_projected(const DictionaryProblem<T>& problem, const Rule& rule,
                                           Matrix<T>& W) {
  step_.resize(W.rows());
  for (Index sweep = 0; sweep < rule.sweeps; ++sweep) {
    Change change;
    for (Index j = 0; j < W.cols(); ++j) {
      if (is_dead(problem.A, j)) continue;
      const T inverse = 1 / problem.A(j, j);
      // w_j ← P_C(w_j + (b_j − W a_j)/A_jj)
      step_ = W.col(j) + inverse * problem.B.col(j);
      blas::gemv(-inverse, W, problem.A.col(j), T(1), step_);
      problem.prox(step_, inverse);
      change.moved += double((W.col(j) - step_).squaredNorm());
      change.size += double(step_.squaredNorm());
      W.col(j) = step_;
    }
    if (change.small(rule.tolerance)) return;
  }
}

template <class T>
void CoordinateUpdate<T>::update_free(const DictionaryProblem<T>& problem, const Rule& rule,
                                      const Executor& executor, Matrix<T>& W) {
  step_.resize(W.rows());
  executor.for_each_block(W.rows(), row_block, [&](Index begin, Index end, int) {
    auto panel = W.middleRows(begin, end - begin);
    auto step = step_.segment(begin, end - begin);
    for (Index sweep = 0; sweep < rule.sweeps; ++sweep) {
      Change change;
      for (Index j = 0; j < W.cols(); ++j) {
        if (is_dead(problem.A, j)) continue;
        const T inverse = 1 / problem.A(j, j);
        // w_j ← P₊(w_j + (b_j − W a_j)/A_jj)
        step = panel.col(j) + inverse * problem.B.col(j).segment(begin, end - begin);
        blas::gemv(-inverse, panel, problem.A.col(j), T(1), step);
        step = step.cwiseMax(T(0));
        change.moved += double((panel.col(j) - step).squaredNorm());
        change.size += double(step.squaredNorm());
        panel.col(j) = step;
      }
      if (change.small(rule.tolerance)) return;
    }
  });
}

template <class T>
void rescale_to_unit_columns(Matrix<T>& W, Matrix<double>& A, Matrix<double>& B) {
  for (Index j = 0; j < W.cols(); ++j) {
    const double norm = double(W.col(j).stableNorm());
    if (!(norm > 0)) continue;
    W.col(j) /= T(norm);
    B.col(j) *= norm;
    A.row(j) *= norm;
    A.col(j) *= norm;
  }
}

template class CoordinateUpdate<float>;
template class CoordinateUpdate<double>;
template void rescale_to_unit_columns(Matrix<float>&, Matrix<double>&, Matrix<double>&);
template void rescale_to_unit_columns(Matrix<double>&, Matrix<double>&, Matrix<double>&);

}  // namespace tamis
