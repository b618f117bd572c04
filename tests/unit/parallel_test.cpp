// Loops over blocks: each block once, whoever comes; exceptions; loops after loops.
#include "parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tamis::test {
namespace {

std::vector<int> times_done(const Executor& executor, Index size, Index block) {
  const auto count = std::size_t(size);
  std::vector<std::atomic<int>> done(count);
  executor.for_each_block(size, block, [&](Index begin, Index end, int slot) {
    EXPECT_GE(slot, 0);
    EXPECT_LT(slot, executor.slots());
    EXPECT_LE(end - begin, block);
    for (Index i = begin; i < end; ++i) ++done[std::size_t(i)];
  });
  return {done.begin(), done.end()};
}

TEST(Parallel, EveryBlockOnceForAnySize) {
  for (const Index threads : {1, 2, 3}) {
    const Executor executor(threads);
    for (const Index size : {0, 1, 2, 7, 64, 1000}) {
      for (const Index block : {1, 3, 64, 2000}) {
        const auto done = times_done(executor, size, block);
        EXPECT_EQ(done, std::vector<int>(std::size_t(size), 1)) << size << " by " << block;
      }
    }
  }
}

// Few rows are shared in some mini-batches only; what a block is must not depend on it.
TEST(Parallel, RowsAreCutInTheSameWayWhoeverDoesThem) {
  Executor executor(2);
  for (int batch = 0; batch < 3 * Sharing::trial; ++batch) {
    for (const Index F : {0, 1, 128, 129, 361, 1024, 1025, 70000}) {
      const Index block = row_block(F, 49);
      std::vector<std::atomic<Index>> end_of_block(std::size_t(F / block + 1));
      executor.for_each_row_block(F, 49, [&](Index begin, Index end, int) {
        EXPECT_EQ(begin % block, 0);
        end_of_block[std::size_t(begin / block)] += end;
      });
      for (Index b = 0; b * block < F; ++b)
        EXPECT_EQ(end_of_block[std::size_t(b)], std::min(F, (b + 1) * block)) << F << " rows";
    }
    executor.mini_batch_took(1.0 / (batch + 1));
  }
}

// No two blocks with the same slot at the same time: scratch memory is found by it.
TEST(Parallel, ASlotBelongsToOneThread) {
  const Executor executor(2);
  std::vector<std::atomic<int>> inside(std::size_t(executor.slots()));
  std::atomic<int> clashes{0};
  for (int loop = 0; loop < 200; ++loop) {
    executor.for_each_block(16, 1, [&](Index, Index, int slot) {
      if (++inside[std::size_t(slot)] > 1) ++clashes;
      --inside[std::size_t(slot)];
    });
  }
  EXPECT_EQ(clashes, 0);
}

// What one loop wrote is seen by the next, also after pauses in which the others went away.
TEST(Parallel, LoopsFollowEachOther) {
  const Executor executor(2);
  constexpr Index size = 64;
  std::vector<long> x(size, 0);
  for (int loop = 0; loop < 2000; ++loop) {
    executor.for_each_block(size, 8, [&](Index begin, Index end, int) {
      for (Index i = begin; i < end; ++i) x[std::size_t(i)] = x[std::size_t(i)] + i + loop;
    });
    if (loop % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  for (Index i = 0; i < size; ++i) EXPECT_EQ(x[std::size_t(i)], 2000 * i + 1999000);
}

TEST(Parallel, AnotherThreadComes) {
  const Executor executor(2);
  if (executor.slots() < 2) GTEST_SKIP() << "one core only";
  std::atomic<bool> came{false};
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!came && std::chrono::steady_clock::now() < limit) {
    executor.for_each_block(8, 1, [&](Index, Index, int slot) {
      if (slot != 0) came = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  }
  EXPECT_TRUE(came);
}

TEST(Parallel, WhatABlockThrowsComesOutWhenAllHaveEnded) {
  const Executor executor(2);
  for (int loop = 0; loop < 50; ++loop) {
    std::atomic<int> done{0};
    EXPECT_THROW(executor.for_each_block(10, 1,
                                         [&](Index begin, Index, int) {
                                           ++done;
                                           if (begin % 5 == 2) throw std::runtime_error("no");
                                         }),
                 std::runtime_error);
    EXPECT_EQ(done, 10);
    EXPECT_EQ(times_done(executor, 10, 1), std::vector<int>(10, 1));
  }
}

struct Counted {
  std::atomic<int> times{0};
  std::atomic<std::thread::id> by{};
  static void add(void* context) {
    auto& counted = *static_cast<Counted*>(context);
    counted.by = std::this_thread::get_id();
    ++counted.times;
  }
};

// Offered once and done once, by another thread, which has to be there for that: it comes for
// loops.
TEST(Parallel, AnotherThreadRunsAnErrand) {
  const Executor executor(2);
  if (executor.slots() < 2) GTEST_SKIP() << "one core only";
  Counted counted;
  executor.offer(&Counted::add, &counted);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (counted.times == 0 && std::chrono::steady_clock::now() < limit) times_done(executor, 8, 1);
  EXPECT_EQ(counted.times, 1);
  EXPECT_NE(counted.by.load(), std::this_thread::get_id());
  for (int loop = 0; loop < 100; ++loop) times_done(executor, 8, 1);
  EXPECT_EQ(counted.times, 1);
}

TEST(Parallel, WhatIsWithdrawnIsNotDoneAnyMore) {
  for (const Index threads : {1, 2}) {
    const Executor executor(threads);
    for (int i = 0; i < 200; ++i) {
      Counted counted;  // gone after the loop: done too late would be found by the sanitizers
      executor.offer(&Counted::add, &counted);
      times_done(executor, 8, 1);
      executor.withdraw();
      EXPECT_LE(counted.times, threads - 1);
    }
  }
}

TEST(Parallel, AnErrandEndsBeforeItIsWithdrawn) {
  const Executor executor(2);
  if (executor.slots() < 2) GTEST_SKIP() << "one core only";
  struct Slow {
    std::atomic<bool> begun{false}, ended{false};
  } slow;
  const auto take_long = [](void* context) {
    auto& it = *static_cast<Slow*>(context);
    it.begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    it.ended = true;
  };
  executor.offer(take_long, &slow);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!slow.begun && std::chrono::steady_clock::now() < limit) times_done(executor, 8, 1);
  executor.withdraw();
  EXPECT_TRUE(slow.ended);
}

TEST(Parallel, SeveralCallersHaveTheirOwn) {
  constexpr int count = 4;
  std::vector<std::thread> callers;
  callers.reserve(count);
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < count; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const Executor executor(2);
        if (times_done(executor, 40, 1) != std::vector<int>(40, 1)) ++wrong;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tamis::test
