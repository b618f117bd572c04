// Encoding a mini-batch as independent blocks of columns, each task with its own scratch memory.
#pragma once

#include <vector>

#include "batch.hpp"
#include "encoder/outcome.hpp"
#include "parallel.hpp"

namespace tamis {

template <class Scratch>
class BlockRunner {
 public:
  // encode(begin, end, scratch) → Outcome, for every block of the batch
  template <class T, class Encode>
  void run(const Executor& executor, Batch<T>& batch, const Encode& encode) {
    slots_.resize(std::size_t(executor.slots()));
    for (auto& slot : slots_) slot.outcome = {};
    executor.for_each_block(batch.size(), column_block(batch.size()),
                            [&](Index begin, Index end, int slot) {
                              auto& mine = slots_[std::size_t(slot)];
                              mine.outcome.merge(encode(begin, end, mine.scratch));
                            });
    for (const auto& slot : slots_) {
      batch.iterations = std::max(batch.iterations, slot.outcome.iterations);
      batch.converged = batch.converged && slot.outcome.converged;
    }
  }

 private:
  struct Slot {
    Scratch scratch;
    Outcome outcome;
  };
  std::vector<Slot> slots_;
};

}  // namespace tamis
