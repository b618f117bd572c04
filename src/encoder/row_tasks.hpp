// How products over all F rows are walked: in panels that stay in the cache, and for large F in
// tasks of many panels that run in parallel. Each task sums up by itself and the sums are added in
// their order, so that threads do not change the bits.
#pragma once

#include <algorithm>

#include "parallel.hpp"

namespace tamis {

// From this many rows on, tasks are rows and not samples: a mini-batch of frames is narrow, and W
// is read only once for all of its samples.
inline constexpr Index many_rows = 1 << 14;

// So many samples at most are encoded together. Panels are made for that many, also when there are
// fewer: then a sample's sums do not depend on how many others there are.
inline constexpr Index samples_together(Index F) {
  return F < many_rows ? widest_column_block : 64;
}

class RowTasks {
 public:
  // For panels of `columns` numbers per row in all of its matrices; `whole`: one panel for all
  // rows.
  RowTasks(Index F, Index columns, bool whole = false)
      : F_(F), panel_(std::max<Index>(F, 1)), task_(panel_) {
    if (whole) return;
    constexpr Index cached = 128 * 1024;  // numbers: they stay in the second-level cache
    const Index most = std::clamp<Index>(cached / std::max<Index>(columns, 1), 64, 512);
    const Index panels = std::max<Index>(1, (F + most - 1) / most);
    panel_ =
        std::max<Index>(1, ((F + panels - 1) / panels + 31) / 32) * 32;  // all about the same size
    task_ = std::max<Index>(1, (F + panel_ - 1) / panel_) * panel_;
    if (F < many_rows) return;
    const Index share = (F + most_tasks - 1) / most_tasks;
    task_ = (std::max<Index>(share, many_rows / 4) + panel_ - 1) / panel_ * panel_;
  }

  // For what is done once per mini-batch: also few rows are two tasks.
  static RowTasks halves(Index F) {
    RowTasks tasks(F, 0);
    tasks.panel_ = half_of_rows(F);
    tasks.task_ = std::max(tasks.panel_, (F + most_tasks - 1) / most_tasks);
    return tasks;
  }

  Index count() const { return (F_ + task_ - 1) / task_; }
  Index panel_rows() const { return panel_; }
  Index task_rows() const { return task_; }

  // work(task, slot, top, rows) for every panel; the panels of a task come one after another.
  template <class Work>
  void run(const Executor& executor, const Work& work) const {
    executor.for_each_block(F_, task_, [&](Index begin, Index end, int slot) {
      for (Index top = begin; top < end; top += panel_)
        work(begin / task_, slot, top, std::min(panel_, end - top));
    });
  }

 private:
  static constexpr Index most_tasks = 64;
  Index F_, panel_, task_;
};

// For encoding: panels of W, of the samples and of what they are cleaned to. A penalty that is not
// entrywise looks at whole columns.
inline RowTasks encoding_tasks(Index F, Index K, bool entrywise) {
  return {F, K + 2 * samples_together(F), !entrywise};
}

}  // namespace tamis
