// Coarse tasks over a fixed partition: who runs a block may vary, what a block is never does, so
// results have the same bits for any number of threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "tamis/types.hpp"

namespace tamis {

#if defined(__SANITIZE_THREAD__)
// ThreadSanitizer does not see how TBB, which is not instrumented, starts tasks and waits for them;
// these tell it. They are global because the memory of a local would itself be reused unseen.
inline std::atomic<unsigned> tasks_started{0};
inline std::atomic<unsigned> tasks_ended{0};
inline void before_tasks() { tasks_started.fetch_add(1, std::memory_order_release); }
inline void task_begins() { static_cast<void>(tasks_started.load(std::memory_order_acquire)); }
inline void task_ends() { tasks_ended.fetch_add(1, std::memory_order_release); }
inline void after_tasks() { static_cast<void>(tasks_ended.load(std::memory_order_acquire)); }
// Nor how a static partition hands its tasks over; who runs a block is all that differs.
using ResidentPartitioner = tbb::simple_partitioner;
#else
inline void before_tasks() {}
inline void task_begins() {}
inline void task_ends() {}
inline void after_tasks() {}
using ResidentPartitioner = tbb::static_partitioner;
#endif

class Executor {
 public:
  // Everything in the calling thread
  Executor() : slots_(1) {}
  // threads = 0: all that the machine offers. More than that would only make TBB print a warning.
  explicit Executor(Index threads) : slots_(tbb::this_task_arena::max_concurrency()) {
    if (threads > 0) slots_ = int(std::min(threads, Index(slots_)));
    if (slots_ > 1) arena_ = std::make_unique<tbb::task_arena>(slots_);
  }

  // Tells sleeping threads that there will be work in a moment: waking up takes them longer than
  // many a task.
  void wake() const {
    if (arena_) arena_->enqueue([] {});
  }

  // At most this many blocks run at the same time; each has a slot number below it to find scratch
  // memory by.
  int slots() const { return slots_; }

  // work(begin, end, slot) for the blocks of [0, size), whoever is free next
  template <class Work>
  void for_each_block(Index size, Index block, const Work& work) const {
    run(size, block, work, tbb::simple_partitioner());
  }
  // The same, but a block goes to the same thread each time if possible: for statistics, which are
  // found in that thread's cache again.
  template <class Work>
  void for_each_resident_block(Index size, Index block, const Work& work) const {
    run(size, block, work, ResidentPartitioner());
  }

 private:
  template <class Work, class Partitioner>
  void run(Index size, Index block, const Work& work, const Partitioner& partitioner) const {
    const Index blocks = (size + block - 1) / block;
    const auto call = [&](Index b, int slot) {
      work(b * block, std::min(size, (b + 1) * block), slot);
    };
    if (!arena_ || blocks <= 1) {
      for (Index b = 0; b < blocks; ++b) call(b, 0);
      return;
    }
    const auto task = [&](Index b) {
      task_begins();
      call(b, tbb::this_task_arena::current_thread_index());
      task_ends();
    };
    before_tasks();
    arena_->execute([&] { tbb::parallel_for(Index(0), blocks, task, partitioner); });
    after_tasks();
  }

  int slots_;
  std::unique_ptr<tbb::task_arena> arena_;
};

// Columns per task: wide enough for matrix products, narrow enough that two threads have something
// to share in a small mini-batch, also when one of them comes late.
inline constexpr Index widest_column_block = 16;
inline Index column_block(Index n) {
  return std::clamp<Index>((n + 3) / 4, 1, widest_column_block);
}

// Rows per task of what treats all rows alike: their part of W stays in the second-level cache. A
// few hundred rows are not worth sharing: the lines of W and B that two tasks have in common would
// go back and forth between the cores' caches.
inline constexpr Index row_block = 512;

}  // namespace tamis
