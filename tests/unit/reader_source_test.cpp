// Passes over readers: order, repetition, limits, shuffling, beginning in the middle, reading
// ahead.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
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
