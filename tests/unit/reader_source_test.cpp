// Passes over readers: order, repetition, limits, shuffling, beginning in the middle, reading
// ahead.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "support/counting_reader.hpp"
#include "tamis/error.hpp"
#include "tamis/io/prefetch.hpp"
#include "tamis/io/reader_source.hpp"

namespace tamis::test {
namespace {

std::vector<Index> iota(Index n) {
  std::vector<Index> values(std::size_t(n), 0);
  std::iota(values.begin(), values.end(), Index(0));
  return values;
}

class EveryAccess : public ::testing::TestWithParam<Access> {};

TEST_P(EveryAccess, GivesSamplesInOrderInFullBlocks) {
  const auto source = make_source(23, GetParam());
  const Seen seen = read_pass(*source, {}, 5);
  EXPECT_EQ(seen.samples, iota(23));
  EXPECT_EQ(seen.numbers, iota(23));
  EXPECT_EQ(seen.sizes, (std::vector<Index>{5, 5, 5, 5, 3}));
}

TEST_P(EveryAccess, LimitCutsShort) {
  EXPECT_EQ(read_pass(*make_source(23, GetParam(), {.limit = 7}), {}, 5).samples, iota(7));
  EXPECT_EQ(read_pass(*make_source(23, GetParam(), {.limit = 99}), {}, 5).samples, iota(23));
}

TEST_P(EveryAccess, ShuffledPassesHaveEverySampleOnceUnderItsNumber) {
  const auto source = make_source(100, GetParam(), {.shuffle_window = 16});
  const Seen seen = read_pass(*source, {.shuffle = true, .seed = 3}, 8);
  EXPECT_EQ(seen.numbers, seen.samples);
  EXPECT_NE(seen.samples, iota(100));
  std::vector<Index> sorted = seen.samples;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, iota(100));
}

TEST_P(EveryAccess, APassCanBeginInTheMiddle) {
  for (const bool shuffle : {false, true}) {
    const Pass whole{.epoch = 2, .position = 0, .shuffle = shuffle, .seed = 9};
    Pass rest = whole;
    rest.position = 37;
    const Seen all = read_pass(*make_source(90, GetParam(), {.shuffle_window = 11}), whole, 7);
    const Seen late = read_pass(*make_source(90, GetParam(), {.shuffle_window = 11}), rest, 7);
    EXPECT_EQ(late.samples, std::vector<Index>(all.samples.begin() + 37, all.samples.end()));
    EXPECT_EQ(late.numbers, std::vector<Index>(all.numbers.begin() + 37, all.numbers.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(ReaderSource, EveryAccess,
                         ::testing::Values(Access::random, Access::restart, Access::once));

TEST(ReaderSource, RepeatsAndNumbersTheRepetitions) {
  for (const Access access : {Access::random, Access::restart}) {
    const auto source = make_source(10, access, {.repeat = 3, .limit = 4});
    const Seen seen = read_pass(*source, {}, 5);
    EXPECT_EQ(seen.samples, (std::vector<Index>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
    EXPECT_EQ(seen.numbers, iota(12));
    const Seen shuffled = read_pass(*source, {.shuffle = true}, 5);
    std::set<Index> numbers(shuffled.numbers.begin(), shuffled.numbers.end());
    EXPECT_EQ(numbers.size(), 12U);
    for (std::size_t i = 0; i < shuffled.samples.size(); ++i)
      EXPECT_EQ(shuffled.samples[i], shuffled.numbers[i] % 4);
  }
}

TEST(ReaderSource, EpochsAndSeedsShuffleDifferently) {
  const auto source = make_source(60, Access::random);
  const auto order = [&](Index epoch, std::uint64_t seed) {
    return read_pass(*source, {.epoch = epoch, .shuffle = true, .seed = seed}, 60).samples;
  };
  EXPECT_EQ(order(0, 1), order(0, 1));
  EXPECT_NE(order(0, 1), order(1, 1));
  EXPECT_NE(order(0, 1), order(0, 2));
}

TEST(ReaderSource, AWindowBoundsHowFarASampleMovesForward) {
  const auto source = make_source(500, Access::restart, {.shuffle_window = 20});
  const Seen seen = read_pass(*source, {.shuffle = true}, 8);
  for (std::size_t i = 0; i < seen.samples.size(); ++i) EXPECT_LT(seen.samples[i], Index(i) + 20);
}

TEST(ReaderSource, RefusesWhatAPipeCannotDo) {
  EXPECT_THROW(make_source(5, Access::once, {.repeat = 2}), DataError);
  const auto source = make_source(5, Access::once);
  read_pass(*source, {}, 5);
  EXPECT_THROW(source->start({.epoch = 1}), DataError);
  EXPECT_THROW(make_source(5, Access::once)->start({.position = 6}), DataError);
}

TEST(Prefetch, GivesTheSameBlocks) {
  for (const Access access : {Access::random, Access::restart}) {
    for (const Index most : {1, 7, 64, 1000}) {
      const auto source = make_source(777, access);
      PrefetchSource<double> ahead(*source);
      for (const bool shuffle : {false, true}) {
        const Pass pass{.epoch = 1, .position = 100, .shuffle = shuffle, .seed = 4};
        const Seen direct = read_pass(*source, pass, most);
        const Seen prefetched = read_pass(ahead, pass, most);
        EXPECT_EQ(prefetched.samples, direct.samples);
        EXPECT_EQ(prefetched.numbers, direct.numbers);
        EXPECT_EQ(prefetched.sizes, direct.sizes);
      }
    }
  }
}

TEST(Prefetch, ABlockSizeThatChangesLosesNothing) {
  const auto source = make_source(100, Access::random);
  PrefetchSource<double> ahead(*source);
  ahead.start({});
  SampleBlock<double> block;
  std::vector<Index> samples;
  for (Index most = 1; ahead.read(most, block); most = most % 9 + 1)
    for (Index j = 0; j < block.V.cols(); ++j) samples.push_back(Index(block.V(0, j)));
  EXPECT_EQ(samples, iota(100));
}

TEST(Prefetch, ErrorsComeOutAndANewPassCanBegin) {
  ReaderSource<double> source(std::make_unique<CountingReader>(100, Access::random, 50));
  PrefetchSource<double> ahead(source);
  ahead.start({});
  SampleBlock<double> block;
  EXPECT_THROW(while (ahead.read(8, block)){}, FileError);
  EXPECT_THROW(ahead.read(8, block), FileError) << "again, not the end";
  ahead.start({.position = 60});
  EXPECT_TRUE(ahead.read(8, block));
  EXPECT_EQ(block.V(0, 0), 60);
}

// Numbers in their order, and who asked for them
class Watched final : public Source<double> {
 public:
  explicit Watched(bool waits) : waits_(waits) {}
  Index features() const override { return 1; }
  std::optional<Index> samples() const override { return count; }
  bool may_wait() const override { return waits_; }
  void start(const Pass& pass) override { next_ = pass.position; }
  bool read(Index most, SampleBlock<double>& block) override {
    const Index n = std::min(most, count - next_);
    block.V.resize(1, n);
    for (Index j = 0; j < n; ++j) block.V(0, j) = double(next_++);
    const std::lock_guard lock(mutex_);
    readers_.insert(std::this_thread::get_id());
    return n > 0;
  }
  bool was_read_by(std::thread::id reader) {
    const std::lock_guard lock(mutex_);
    return readers_.contains(reader);
  }

  static constexpr Index count = Index(1) << 22;  // far more than is ever read ahead

 private:
  bool waits_;
  Index next_ = 0;
  std::mutex mutex_;
  std::set<std::thread::id> readers_;
};

std::vector<Index> all_of(Source<double>& source, Index most) {
  std::vector<Index> found;
  SampleBlock<double> block;
  while (source.read(most, block))
    for (Index j = 0; j < block.V.cols(); ++j) found.push_back(Index(block.V(0, j)));
  return found;
}

TEST(Prefetch, WhoHasTimeMayReadAhead) {
  Watched source(false);
  PrefetchSource<double> ahead(source);
  ahead.start({});
  SampleBlock<double> block;
  Index next = 0;
  while (ahead.read(1000, block)) {
    ASSERT_EQ(block.V(0, 0), next);
    next += block.V.cols();
    ahead.read_ahead();
    // Slower than the reading thread, so that this one rests for a while.
    if (!source.was_read_by(std::this_thread::get_id()))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(next, source.count);
  EXPECT_TRUE(source.was_read_by(std::this_thread::get_id()));
}

TEST(Prefetch, NothingIsLostWhenOthersReadAheadMeanwhile) {
  for (const Index most : {7, 1000, 100000}) {
    Watched source(false);
    PrefetchSource<double> ahead(source);
    ahead.start({});
    SampleBlock<double> first;
    ASSERT_TRUE(ahead.read(most, first));
    const std::jthread other([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) ahead.read_ahead();
    });
    const std::vector<Index> rest = all_of(ahead, most);
    ASSERT_EQ(Index(rest.size()), source.count - first.V.cols());
    for (std::size_t i = 0; i < rest.size(); ++i)
      ASSERT_EQ(rest[i], Index(i) + first.V.cols()) << most;
  }
}

TEST(Prefetch, NobodyElseWaitsForAPipe) {
  Watched source(true);
  PrefetchSource<double> ahead(source);
  ahead.start({});
  SampleBlock<double> block;
  while (ahead.read(1000, block)) ahead.read_ahead();
  EXPECT_FALSE(source.was_read_by(std::this_thread::get_id()));
  for (const Access access : {Access::restart, Access::once})
    EXPECT_TRUE(make_source(5, access)->may_wait());
  EXPECT_FALSE(make_source(5, Access::random)->may_wait());
}

TEST(Prefetch, WhatGoesWrongWhileReadingAheadComesOutAtItsPlace) {
  ReaderSource<double> source(std::make_unique<CountingReader>(100, Access::random, 50));
  PrefetchSource<double> ahead(source);
  ahead.read_ahead();  // before the pass there is nothing to read
  ahead.start({});
  SampleBlock<double> block;
  Index seen = 0;
  EXPECT_THROW(
      while (ahead.read(8, block)) {
        seen += block.V.cols();
        EXPECT_NO_THROW(ahead.read_ahead());
      },
      FileError);
  EXPECT_LE(seen, 50);
  EXPECT_NO_THROW(ahead.read_ahead());
  EXPECT_THROW(ahead.read(8, block), FileError);
}

TEST(Prefetch, CanBeDroppedInTheMiddle) {
  const auto source = make_source(100000, Access::restart);
  for (int i = 0; i < 20; ++i) {
    PrefetchSource<double> ahead(*source);
    ahead.start({});
    SampleBlock<double> block;
    EXPECT_TRUE(ahead.read(3, block));
  }
}

}  // namespace
}  // namespace tamis::test
