// Threads that share the blocks of one short loop after another.
//
// The caller takes blocks from the low end, the others from the high end, so that each finds again
// what it had in its cache at the last loop. Nobody waits for a thread that has not come: the
// caller alone would do all of them. A thread that finds nothing more to do stays for a moment, for
// waking up takes longer than many a loop, and then goes back to TBB, to whom the threads belong.
#pragma once

#include <memory>

#include "tamis/types.hpp"

namespace tamis {

class Team {
 public:
  explicit Team(int threads);  // the caller's included
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // work(context, block, thread) for every block in [0, blocks); thread 0 is the caller. Only one
  // caller at a time. What a block throws is thrown here when all have ended.
  using Work = void (*)(const void* context, Index block, int thread);
  void run(Index blocks, Work work, const void* context);

  // There will be work in a moment.
  void wake();

  // An errand for another thread, when it has no block to do: one at a time, and nobody waits for
  // it. It may not throw. After withdraw() nobody is at it, nor will be.
  using Errand = void (*)(void* context);
  void offer(Errand errand, void* context);
  void withdraw();

  static int most_threads();  // that the machine offers

 private:
  struct State;
  struct States;
  struct Arena;
  std::unique_ptr<Arena> arena_;
  State* state_;
  int helpers_;
};

}  // namespace tamis
