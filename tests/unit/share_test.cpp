// The shares of ranks: each sample is in one of them, in its place.
#include "tamis/io/share.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/counting_reader.hpp"
#include "tamis/error.hpp"
#include "tamis/io/matrix_source.hpp"
#include "tamis/io/prefetch.hpp"

namespace tamis::test {
namespace {

TEST(Share, ItsFormulasAgreeWithCounting) {
  for (const Index ranks : {1, 2, 3, 4}) {
    for (const Index batch : {1, 2, 5}) {
      for (Index rank = 0; rank < ranks; ++rank) {
        const Share share{rank, ranks, batch};
        Index ours = 0;
        for (Index position = 0; position < 50; ++position) {
          EXPECT_EQ(share.below(position), ours);
          if (position / batch % ranks != rank) continue;
          EXPECT_EQ(share.position(ours), position);
          if (ranks > 1) {
            EXPECT_EQ(share.run(ours), batch - position % batch);
          }
          ++ours;
        }
      }
    }
  }
}

TEST(Share, OfNothingIsNothing) {
  EXPECT_EQ((Share{1, 3, 4}.below(0)), 0);
  EXPECT_EQ((Share{1, 3, 4}.below(-5)), 0);
  EXPECT_EQ(Share{}.below(-5), 0);
}

// What the ranks read, put together as the training loop does: mini-batch by mini-batch, each the
// ranks' parts one after another.
std::vector<Index> put_together(const std::vector<Seen>& parts, Index batch) {
  std::vector<Index> all;
  for (std::size_t begin = 0; begin < parts[0].samples.size(); begin += std::size_t(batch)) {
    for (const Seen& part : parts) {
      for (std::size_t i = begin; i < begin + std::size_t(batch) && i < part.samples.size(); ++i)
        all.push_back(part.samples[i]);
    }
  }
  return all;
}

struct Case {
  Access access;
  bool shuffle;
  Index repeat;
};

class Shares : public ::testing::TestWithParam<Case> {
 protected:
  static std::unique_ptr<ReaderSource<double>> source(Index n) {
    return make_source(n, GetParam().access,
                       {.repeat = GetParam().repeat, .limit = 61, .shuffle_window = 9});
  }
  // most: samples per read, which need not be the mini-batches of the share
  static std::vector<Index> read_shared(Index n, Index ranks, Index position, Index most,
                                        bool ahead) {
    constexpr Index batch = 4;
    std::vector<Seen> parts;
    for (Index rank = 0; rank < ranks; ++rank) {
      const auto whole = source(n);
      PrefetchSource<double> prefetch(*whole);
      Source<double>& used = ahead ? static_cast<Source<double>&>(prefetch) : *whole;
      EXPECT_TRUE(used.can_be_shared());
      parts.push_back(read_pass(used,
                                {.epoch = 1,
                                 .position = position,
                                 .shuffle = GetParam().shuffle,
                                 .seed = 5,
                                 .share = {rank, ranks, batch}},
                                most));
    }
    return put_together(parts, batch);
  }
};

TEST_P(Shares, TogetherAreAllSamplesInTheirOrder) {
  for (const Index n : {1, 3, 16, 53, 70}) {
    for (const Index position : {0, 7}) {
      if (position >= n) continue;
      const Pass pass{.epoch = 1, .position = position, .shuffle = GetParam().shuffle, .seed = 5};
      const auto all = read_pass(*source(n), pass, 5).samples;
      for (const Index ranks : {1, 2, 3, 4}) {
        SCOPED_TRACE(::testing::Message() << n << " from " << position << ", " << ranks);
        EXPECT_EQ(read_shared(n, ranks, position, 4, false), all);
        EXPECT_EQ(read_shared(n, ranks, position, 7, false), all);
        EXPECT_EQ(read_shared(n, ranks, position, 4, true), all);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Readers, Shares,
    ::testing::Values(Case{Access::random, false, 1}, Case{Access::random, false, 3},
                      Case{Access::random, true, 1}, Case{Access::random, true, 2},
                      Case{Access::restart, false, 1}, Case{Access::restart, false, 2},
                      Case{Access::restart, true, 2}));

TEST(Share, WithRandomAccessOnlyOursAreRead) {
  auto reader = std::make_unique<CountingReader>(40, Access::random);
  const CountingReader& counts = *reader;
  ReaderSource<double> source(std::move(reader));
  for (const bool shuffle : {false, true}) {
    const Index before = counts.samples_read();
    const Seen seen = read_pass(source, {.shuffle = shuffle, .share = {1, 4, 5}}, 5);
    EXPECT_EQ(seen.samples.size(), 10u);
    EXPECT_EQ(counts.samples_read() - before, 10);
  }
}

TEST(Share, APipeCannotBeShared) {
  EXPECT_THROW(make_source(9, Access::once)->start({.share = {0, 2, 4}}), DataError);
  EXPECT_NO_THROW(make_source(9, Access::once)->start({}));
}

TEST(Share, OfSamplesInMemory) {
  Matrix<double> V(2, 23);
  for (Index j = 0; j < V.cols(); ++j) V.col(j) << double(j), double(2 * j);
  const Vector<double> weights = Vector<double>::LinSpaced(23, 0, 22);
  for (const bool shuffle : {false, true}) {
    MatrixSource<double> source(V, weights);
    const auto all = read_pass(source, {.shuffle = shuffle, .seed = 2}, 6).samples;
    std::vector<Seen> parts;
    for (Index rank = 0; rank < 3; ++rank) {
      parts.push_back(read_pass(source, {.shuffle = shuffle, .seed = 2, .share = {rank, 3, 4}}, 4));
      SampleBlock<double> block;
      source.start({.shuffle = shuffle, .seed = 2, .share = {rank, 3, 4}});
      ASSERT_TRUE(source.read(4, block));
      EXPECT_EQ(block.weights, block.V.row(0).transpose());
    }
    EXPECT_EQ(put_together(parts, 4), all);
  }
}

}  // namespace
}  // namespace tamis::test
