// Ranks as threads: sums, their order, and that nobody waits for ever.
#include "tamis/thread_group.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "agreement.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

TEST(ThreadGroup, AddsUpOverAllRanks) {
  for (const int P : {1, 2, 3, 5}) {
    ThreadGroup::run(P, [&](Communicator& comm) {
      EXPECT_EQ(comm.size(), P);
      for (int turn = 0; turn < 200; ++turn) {
        std::vector<double> values{double(comm.rank()), double(turn), 1};
        std::vector<float> more{static_cast<float>(comm.rank() + turn)};
        comm.all_reduce(values, more);
        const int ranks = P * (P - 1) / 2;
        EXPECT_EQ(values, (std::vector<double>{double(ranks), double(turn * P), double(P)}));
        EXPECT_EQ(more[0], static_cast<float>(ranks + turn * P));
      }
    });
  }
}

// Rounding depends on the order of a sum, so the order must not depend on who comes first.
TEST(ThreadGroup, AddsUpInTheOrderOfRanks) {
  const std::vector<double> each{1e16, 1, -1e16, 1};
  const double expected = std::accumulate(each.begin(), each.end(), 0.0);
  for (int turn = 0; turn < 50; ++turn) {
    ThreadGroup::run(4, [&](Communicator& comm) {
      if (comm.rank() == turn % 4) std::this_thread::yield();
      double value = each[std::size_t(comm.rank())];
      comm.all_reduce({&value, 1}, {});
      EXPECT_EQ(value, expected);
    });
  }
}

TEST(ThreadGroup, ARankThatThrowsWakesTheOthers) {
  std::atomic<int> woken = 0;
  const auto work = [&](Communicator& comm) {
    double value = 1;
    comm.all_reduce({&value, 1}, {});
    if (comm.rank() == 1) throw DataError("rank 1 has bad data");
    try {
      comm.all_reduce({&value, 1}, {});
    } catch (const RankError&) {
      ++woken;
      EXPECT_THROW(comm.all_reduce({&value, 1}, {}), RankError) << "now or later";
      throw;
    }
  };
  EXPECT_THROW(ThreadGroup::run(4, work), DataError) << "the cause, not its consequences";
  EXPECT_EQ(woken, 3);
}

TEST(ThreadGroup, RefusesDifferentSizes) {
  EXPECT_THROW(ThreadGroup::run(3,
                                [](Communicator& comm) {
                                  std::vector<double> values(comm.rank() == 2 ? 4 : 5, 0.0);
                                  comm.all_reduce(values, {});
                                }),
               RankError);
}

// Sums that are fetched later, with others in between
TEST(ThreadGroup, AddsUpWhileRanksDoOtherThings) {
  for (const int P : {1, 2, 3, 5}) {
    ThreadGroup::run(P, [&](Communicator& comm) {
      const int ranks = P * (P - 1) / 2;
      for (int turn = 0; turn < 200; ++turn) {
        comm.start_all_reduce({{double(comm.rank()), double(turn)}, {1}});
        std::vector<double> values{double(comm.rank() + turn)};
        for (int i = 0; i < turn % 3; ++i) {
          values[0] = double(comm.rank() + turn);
          comm.all_reduce(values, {});
          EXPECT_EQ(values[0], ranks + turn * P);
        }
        const Addends sums = comm.finish_all_reduce();
        EXPECT_EQ(sums.values, (std::vector<double>{double(ranks), double(turn * P)}));
        EXPECT_EQ(sums.more, (std::vector<float>{static_cast<float>(P)}));
      }
    });
  }
}

TEST(ThreadGroup, ARankThatThrowsWakesThoseWhoFetchSums) {
  std::atomic<int> woken = 0;
  const auto work = [&](Communicator& comm) {
    comm.start_all_reduce({std::vector<double>(1000, 1.0), {}});
    double here = 1;
    comm.all_reduce({&here, 1}, {});
    if (comm.rank() == 2) throw DataError("rank 2 has bad data");
    EXPECT_EQ(comm.finish_all_reduce().values[999], 4) << "it was there for this one";
    try {
      comm.start_all_reduce({{1}, {}});
      comm.finish_all_reduce();
    } catch (const RankError&) {
      ++woken;
      throw;
    }
  };
  EXPECT_THROW(ThreadGroup::run(4, work), DataError);
  EXPECT_EQ(woken, 3);
}

// Those who cannot do it in two steps do it in one.
TEST(Communicator, NeedsNothingButSumsAtOnce) {
  SelfCommunicator alone;
  alone.start_all_reduce({{1, 2}, {3}});
  const Addends sums = alone.finish_all_reduce();
  EXPECT_EQ(sums.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(sums.more, (std::vector<float>{3}));
}

TEST(Agreement, IsSeenInTheSumsOfBits) {
  const auto sums_of = [](const std::vector<std::uint32_t>& digests) {
    std::vector<double> sums(agreement_bits, 0), bits(agreement_bits);
    for (const auto digest : digests) {
      put_digest(digest, bits);
      for (std::size_t i = 0; i < bits.size(); ++i) sums[i] += bits[i];
    }
    return sums;
  };
  EXPECT_TRUE(all_agree(sums_of({7, 7, 7}), 3));
  EXPECT_TRUE(all_agree(sums_of({0, 0}), 2));
  EXPECT_FALSE(all_agree(sums_of({7, 6, 7}), 3));
  EXPECT_FALSE(all_agree(sums_of({0xffffffff, 0x7fffffff}), 2));
}

TEST(Agreement, TheDigestSeesEveryByte) {
  std::vector<std::byte> bytes(37, std::byte{3});
  const auto before = digest(bytes);
  for (auto& byte : bytes) {
    byte = std::byte{0x83};
    EXPECT_NE(digest(bytes), before);
    byte = std::byte{3};
  }
  EXPECT_EQ(digest(bytes), before);
}

}  // namespace
}  // namespace tamis
