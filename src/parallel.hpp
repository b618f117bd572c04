// Coarse tasks over a fixed partition: who runs a block may vary, what a block is never does, so
// results have the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <memory>

#include "sharing.hpp"
#include "tamis/types.hpp"
#include "team.hpp"

namespace tamis {

// Rows per task of what treats all rows alike, if there are many
inline constexpr Index least_row_block = 512;

// A few hundred rows are two tasks.
inline Index half_of_rows(Index F) {
  constexpr Index least = 128;
  return std::clamp(((F + 1) / 2 + 31) / 32 * 32, least, least_row_block);
}

// … where a row has K entries: as many as stay in the second-level cache and leave enough tasks to
// share. Far fewer, and to take a task would cost a good part of doing it.
inline Index row_block(Index F, Index K) {
  constexpr Index tasks = 64;
  constexpr Index entries = 1 << 15;
  const Index rows = std::min(F / tasks, entries / std::max<Index>(K, 1));
  return std::max(half_of_rows(F), rows / least_row_block * least_row_block);
}

class Executor {
 public:
  // Everything in the calling thread
  Executor() : slots_(1) {}
  // threads = 0: all that the machine offers; never more than that.
  explicit Executor(Index threads) : slots_(Team::most_threads()) {
    if (threads > 0) slots_ = int(std::min(threads, Index(slots_)));
    if (slots_ > 1) team_ = std::make_unique<Team>(slots_);
  }

  // Tells sleeping threads that there will be work in a moment.
  void wake() const {
    if (team_) team_->wake();
  }

  // See Team. Without other threads nobody takes it.
  void offer(Team::Errand errand, void* context) const {
    if (team_) team_->offer(errand, context);
  }
  void withdraw() const {
    if (team_) team_->withdraw();
  }

  // At most this many blocks run at the same time; each has a slot number below it to find scratch
  // memory by.
  int slots() const { return slots_; }

  // work(begin, end, slot) for the blocks of [0, size)
  template <class Work>
  void for_each_block(Index size, Index block, const Work& work) const {
    const Index blocks = (size + block - 1) / block;
    const auto call = [&](Index b, int slot) {
      work(b * block, std::min(size, (b + 1) * block), slot);
    };
    if (!team_ || blocks <= 1) {
      for (Index b = 0; b < blocks; ++b) call(b, 0);
      return;
    }
    team_->run(
        blocks,
        [](const void* context, Index b, int slot) {
          (*static_cast<decltype(&call)>(context))(b, slot);
        },
        &call);
  }

  // The same for the rows of an F×K dictionary, in blocks of row_block(F, K). Few rows are shared
  // only where that pays.
  template <class Work>
  void for_each_row_block(Index F, Index K, const Work& work) const {
    const bool few = F <= 2 * least_row_block;
    if (few && !sharing_.pays()) {
      Executor().for_each_block(F, row_block(F, K), work);
    } else {
      for_each_block(F, row_block(F, K), work);
    }
  }
  void mini_batch_took(double seconds) { sharing_.took(seconds); }

 private:
  int slots_;
  Sharing sharing_;
  std::unique_ptr<Team> team_;
};

// Columns per task: wide enough for matrix products, narrow enough that two threads have something
// to share in a small mini-batch, also when one of them comes late.
inline constexpr Index widest_column_block = 32;
inline Index column_block(Index n) {
  return std::clamp<Index>((n + 3) / 4, 1, widest_column_block);
}

}  // namespace tamis
