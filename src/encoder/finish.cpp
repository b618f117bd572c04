#include "encoder/finish.hpp"

#include <numeric>

#include "encoder/outcome.hpp"
#include "encoder/row_tasks.hpp"

namespace tamis {
namespace {

using kernels::Panel;

template <class T>
struct Block {
  const Matrix<T>& W;
  const Problem<T>& problem;
  const Executor& executor;
  Batch<T>& batch;
  Index begin, n;
  FinishScratch<T>& scratch;
  ResidualHistogram& residuals;

  // work(left, n, weighs) for runs of samples that all have a weight, or all none: those do not
  // count for the noise.
  template <class Work>
  void for_each_run_of_weights(const Work& work) const {
    const auto weighs = [&](Index j) { return batch.weight[begin + j] > 0; };
    for (Index left = 0; left < n;) {
      Index right = left + 1;
      while (right < n && weighs(right) == weighs(left)) ++right;
      work(left, right - left, weighs(left));
      left = right;
    }
  }

  void entrywise(Panel<const T> U) {
    const RowTasks tasks = encoding_tasks(W.rows(), W.cols(), true);
    const kernels::Samples<T> V = batch.samples.middle_cols(begin, n);
    scratch.sums.assign(std::size_t(tasks.count() * n), {});
    const bool alone = executor.slots() == 1;
    if (!alone) scratch.residuals.resize(std::size_t(executor.slots()));
    for (auto& theirs : scratch.residuals) theirs.clear();
    // A part of the rows tells the scale of the noise well enough.
    constexpr Index enough = 1 << 15;
    const Index every = std::max<Index>(1, V.rows() / enough);
    const Matrix<T>& Y = batch.Y;
    tasks.run(executor, [&](Index task, int slot, Index top, Index rows) {
      const bool count = batch.count_residuals && top / tasks.panel_rows() % every == 0;
      auto& mine = alone ? residuals : scratch.residuals[std::size_t(slot)];
      for_each_run_of_weights([&](Index left, Index width, bool weighs) {
        kernels::measured_product<T>(
            Panel<const T>(W.middleRows(top, rows)),
            Panel<const T>(U.data + left, U.stride, width, U.cols), V.middle_rows(top, rows),
            scratch.sample.data() + left, problem.shrinkage(),
            Panel<T>(batch.Y.data() + (begin + left) * Y.rows() + top, Y.rows(), rows, width),
            scratch.sums.data() + task * n + left, count && weighs ? mine.counts() : nullptr);
      });
    });
    for (const auto& theirs : scratch.residuals) residuals.add(theirs);
    for (Index j = 0; j < n; ++j) {
      kernels::Sums sums;
      for (Index task = 0; task < tasks.count(); ++task)
        sums.add(scratch.sums[std::size_t(task * n + j)]);
      const auto loss = problem.loss(sums, batch.H.col(begin + j));
      batch.loss[begin + j] = loss.total();
      batch.constant[begin + j] = loss.energy + loss.penalty;
    }
  }

  void columns(Panel<const T> U) {
    auto P = scratch.whole.view(W.rows(), n);
    kernels::product<T>(Panel<const T>(W), U, Panel<T>(P));
    problem.clean(batch.V.middleCols(begin, n), P, batch.Y.middleCols(begin, n));
    for (Index j = 0; j < n; ++j)
      record<T>(problem, P.col(j), begin + j, batch, scratch.column.view(W.rows()), residuals);
  }
};

}  // namespace

template <class T>
void finish_block(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
                  Batch<T>& batch, Index begin, Index end, FinishScratch<T>& scratch,
                  ResidualHistogram& residuals) {
  const Index n = end - begin;
  scratch.sample.resize(std::size_t(n));
  std::iota(scratch.sample.begin(), scratch.sample.end(), Index(0));
  auto U = scratch.U.view(n, W.cols());
  U = batch.H.middleCols(begin, n).transpose();
  Block<T> block{W, problem, executor, batch, begin, n, scratch, residuals};
  if (problem.entrywise()) {
    block.entrywise(Panel<const T>(U));
  } else {
    block.columns(Panel<const T>(U));
  }
}

template void finish_block(const Matrix<float>&, const Problem<float>&, const Executor&,
                           Batch<float>&, Index, Index, FinishScratch<float>&, ResidualHistogram&);
template void finish_block(const Matrix<double>&, const Problem<double>&, const Executor&,
                           Batch<double>&, Index, Index, FinishScratch<double>&,
                           ResidualHistogram&);

}  // namespace tamis
