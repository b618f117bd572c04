// Encoding a mini-batch as independent blocks of columns, each task with its own scratch memory.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/outcome.hpp"
#include "encoder/row_tasks.hpp"
#include "parallel.hpp"
#include "tamis/error.hpp"

namespace tamis {

template <class Scratch>
class BlockRunner {
 public:
  // encode(begin, end, scratch, residuals) → Outcome, for every block of the batch
  template <class T, class Encode>
  void run(const Executor& executor, Batch<T>& batch, const Encode& encode) {
    run(executor, column_block(batch.size()), batch, encode);
  }
  template <class T, class Encode>
  void run(const Executor& executor, Index block, Batch<T>& batch, const Encode& encode) {
    slots_.resize(std::size_t(executor.slots()));
    for (auto& slot : slots_) slot.outcome = {};
    executor.for_each_resident_block(batch.size(), block, [&](Index begin, Index end, int slot) {
      auto& mine = slots_[std::size_t(slot)];
      mine.outcome.merge(encode(begin, end, mine.scratch, mine.residuals));
    });
    for (auto& slot : slots_) {
      batch.iterations = std::max(batch.iterations, slot.outcome.iterations);
      batch.converged = batch.converged && slot.outcome.converged;
      if (batch.count_residuals) batch.residuals.add_news(slot.residuals, slot.counted);
    }
  }

  // Tasks are blocks of samples, or for large F blocks of rows: encode also gets the executor to
  // walk the rows with.
  template <class T, class Encode>
  void run_samples_or_rows(const Executor& executor, Batch<T>& batch, const Encode& encode) {
    const Executor serial;
    const Index F = batch.features();
    const bool by_rows = F >= many_rows;
    const Index block = by_rows ? samples_together(F) : column_block(batch.size());
    run(by_rows ? serial : executor, block, batch,
        [&](Index begin, Index end, Scratch& scratch, ResidualHistogram& residuals) {
          return encode(by_rows ? executor : serial, begin, end, scratch, residuals);
        });
  }

 private:
  struct alignas(apart) Slot {
    Scratch scratch;
    Outcome outcome;
    // Counts go on from batch to batch, so that only what changed has to come from the other
    // thread's cache.
    ResidualHistogram residuals, counted;
  };
  std::vector<Slot> slots_;
};

// A batch algorithm that is resumed must get the samples it began with: K×N and F×N state.
template <class T>
void check_resumed_shapes(const Batch<T>& batch, std::initializer_list<const Matrix<T>*> codes,
                          std::initializer_list<const Matrix<T>*> samples) {
  const auto check = [&](const Matrix<T>& X, Index rows) {
    if (X.rows() == rows && X.cols() == batch.size()) return;
    throw DataError(fmt::format("the fit that is resumed has a {}×{} state, these data need {}×{}",
                                X.rows(), X.cols(), rows, batch.size()));
  };
  for (const auto* X : codes) check(*X, batch.H.rows());
  for (const auto* X : samples) check(*X, batch.V.rows());
}

}  // namespace tamis
