// The steps over all rows of W that encoders share.
#pragma once

#include <algorithm>
#include <vector>

#include "buffer.hpp"
#include "encoder/row_tasks.hpp"
#include "kernels/panel.hpp"
#include "problem.hpp"

namespace tamis {

// WᵀW, in the first of `parts`
template <class T>
Matrix<T>& gram(const Matrix<T>& W, const Executor& executor, std::vector<Matrix<T>>& parts) {
  const RowTasks tasks = RowTasks::halves(W.rows());
  parts.resize(std::size_t(tasks.count()));
  tasks.run(executor, [&](Index task, int, Index top, Index rows) {
    Matrix<T>& part = parts[std::size_t(task)];
    if (part.rows() != W.cols()) part.setZero(W.cols(), W.cols());
    const bool first = top == task * tasks.task_rows();
    kernels::gram<T>(kernels::Panel<const T>(W.middleRows(top, rows)), !first,
                     kernels::Panel<T>(part));
  });
  Matrix<T>& G = parts.front();
  for (std::size_t task = 1; task < parts.size(); ++task) G += parts[task];
  G.template triangularView<Eigen::StrictlyUpper>() = G.transpose();
  return G;
}

// S (n×K) ← the sum over tasks of what add(task's n×K sums, task, slot, top, rows, first panel)
// adds; `parts` is memory for the sums of each task.
template <class T, class Add>
void sum_over_rows(const RowTasks& tasks, const Executor& executor, const kernels::Panel<T> S,
                   std::vector<Buffer<T>>& parts, const Add& add) {
  const Index n = S.rows;
  const Index K = S.cols;
  const bool alone = tasks.count() == 1;
  parts.resize(std::size_t(tasks.count()));
  const Index rows_per_task = tasks.task_rows();
  tasks.run(executor, [&](Index task, int slot, Index top, Index rows) {
    const kernels::Panel<T> sums =
        alone ? S : kernels::Panel<T>(parts[std::size_t(task)].view(n, K).data(), n, n, K);
    add(sums, task, slot, top, rows, top == task * rows_per_task);
  });
  if (alone) return;
  for (Index k = 0; k < K; ++k) {
    for (Index j = 0; j < n; ++j) {
      T sum = 0;
      for (auto& part : parts) sum += part.view(n, K)(j, k);
      S.col(k)[j] = sum;
    }
  }
}

// Y ← v − prox_φ(v − Wx) in the rows of a panel, for codes X (n×K) of the samples columns[j] of V;
// `column` is memory for a penalty that looks at whole columns.
template <class T>
void clean_rows(const Matrix<T>& W, kernels::Panel<const T> X, const kernels::Samples<T>& V,
                const Index* columns, const Problem<T>& problem, Index top, Index rows,
                Buffer<T>& column, kernels::Panel<T> Y) {
  const kernels::Panel<const T> W_rows(W.middleRows(top, rows));
  if (problem.entrywise()) {
    kernels::cleaned_product<T>(W_rows, X, V.middle_rows(top, rows), columns, problem.shrinkage(),
                                Y);
    return;
  }
  kernels::product<T>(W_rows, X, Y);
  for (Index j = 0; j < Y.cols; ++j) {
    const Eigen::Map<const Vector<T>> v(V.values.col(columns[j]), rows);
    Eigen::Map<Vector<T>> y(Y.col(j), rows);
    auto p = column.view(rows);
    p = y;
    problem.clean(v, p, y);
  }
}

}  // namespace tamis
