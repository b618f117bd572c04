// The last step of a block: from codes to outliers, losses and residuals, in one more walk over the
// rows.
#include <numeric>

#include "encoder/fast_block.hpp"

namespace tamis {

template <class T>
void FastBlock<T>::finish(ResidualHistogram& residuals) {
  while (codes_.n > 0) {
    store(codes_.n - 1);
    --codes_.n;
  }
  std::iota(scratch_.sample.begin(), scratch_.sample.end(), Index(0));
  auto U = scratch_.U.view(n_, codes_.K);
  U = batch_.H.middleCols(begin_, n_).transpose();
  if (problem_.entrywise()) {
    finish_entrywise(ConstPanel(U), residuals);
  } else {
    finish_columns(ConstPanel(U), residuals);
  }
}

// work(left, n, weighs) for runs of samples that all have a weight, or all none: those do not count
// for the noise.
template <class T>
template <class Work>
void FastBlock<T>::for_each_run_of_weights(const Work& work) const {
  const auto weighs = [&](Index j) { return batch_.weight[begin_ + j] > 0; };
  for (Index left = 0; left < n_;) {
    Index right = left + 1;
    while (right < n_ && weighs(right) == weighs(left)) ++right;
    work(left, right - left, weighs(left));
    left = right;
  }
}

template <class T>
void FastBlock<T>::finish_entrywise(ConstPanel U, ResidualHistogram& residuals) {
  scratch_.sums.assign(std::size_t(tasks_.count() * n_), {});
  const bool alone = executor_.slots() == 1;
  if (!alone) scratch_.residuals.resize(std::size_t(executor_.slots()));
  for (auto& theirs : scratch_.residuals) theirs.clear();
  // A part of the rows tells the scale of the noise well enough.
  constexpr Index enough = 1 << 15;
  const Index every = std::max<Index>(1, V_.rows() / enough);
  const Matrix<T>& Y = batch_.Y;
  tasks_.run(executor_, [&](Index task, int slot, Index top, Index rows) {
    const bool count = batch_.count_residuals && top / tasks_.panel_rows() % every == 0;
    auto& mine = alone ? residuals : scratch_.residuals[std::size_t(slot)];
    for_each_run_of_weights([&](Index left, Index n, bool weighs) {
      kernels::measured_product<T>(
          W_rows(top, rows), ConstPanel(U.data + left, U.stride, n, U.cols),
          V_.middle_rows(top, rows), scratch_.sample.data() + left, problem_.shrinkage(),
          Panel(batch_.Y.data() + (begin_ + left) * Y.rows() + top, Y.rows(), rows, n),
          scratch_.sums.data() + task * n_ + left, count && weighs ? mine.counts() : nullptr);
    });
  });
  for (const auto& theirs : scratch_.residuals) residuals.add(theirs);
  for (Index j = 0; j < n_; ++j) {
    kernels::Sums sums;
    for (Index task = 0; task < tasks_.count(); ++task)
      sums.add(scratch_.sums[std::size_t(task * n_ + j)]);
    const auto loss = problem_.loss(sums, batch_.H.col(begin_ + j));
    batch_.loss[begin_ + j] = loss.total();
    batch_.constant[begin_ + j] = loss.energy + loss.penalty;
  }
}

template <class T>
void FastBlock<T>::finish_columns(ConstPanel U, ResidualHistogram& residuals) {
  auto P = scratch_.whole.view(W_.rows(), n_);
  kernels::product<T>(ConstPanel(W_), U, Panel(P));
  problem_.clean(batch_.V.middleCols(begin_, n_), P, batch_.Y.middleCols(begin_, n_));
  for (Index j = 0; j < n_; ++j) {
    record<T>(problem_, P.col(j), begin_ + j, batch_, scratch_.column.view(W_.rows()), residuals);
  }
}

template void FastBlock<float>::finish(ResidualHistogram&);
template void FastBlock<double>::finish(ResidualHistogram&);

}  // namespace tamis
