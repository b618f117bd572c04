#include "random/permutation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace tamis {
namespace {

TEST(Permutation, HitsEveryNumberOnce) {
  for (Index n = 1; n <= 300; ++n) {
    const Permutation order(n, 5, Purpose::data, 2);
    std::vector<bool> hit(std::size_t(n), false);
    for (Index i = 0; i < n; ++i) {
      const Index place = order(i);
      ASSERT_GE(place, 0);
      ASSERT_LT(place, n);
      EXPECT_FALSE(hit[std::size_t(place)]) << n << ": " << place << " twice";
      hit[std::size_t(place)] = true;
    }
  }
}

TEST(Permutation, OfManyNeverHitsANumberTwice) {
  for (const Index n : {Index(1) << 20, (Index(1) << 20) + 1, Index(10'000'019), Index(1) << 40}) {
    const Permutation order(n, 7, Purpose::shuffle);
    std::set<Index> hit;
    for (Index k = 0; k < 20'000; ++k) {
      const Index place = order(k * (n / 20'000));
      EXPECT_GE(place, 0);
      EXPECT_LT(place, n);
      hit.insert(place);
    }
    EXPECT_EQ(hit.size(), 20'000u) << n;
  }
}

TEST(Permutation, DependsOnAllOfItsKey) {
  const Index n = 1000;
  const auto images = [&](const Permutation& order) {
    std::vector<Index> result;
    for (Index i = 0; i < n; ++i) result.push_back(order(i));
    return result;
  };
  const auto one = images({n, 1, Purpose::data, 0});
  EXPECT_EQ(one, images({n, 1, Purpose::data, 0}));
  EXPECT_NE(one, images({n, 2, Purpose::data, 0}));
  EXPECT_NE(one, images({n, 1, Purpose::shuffle, 0}));
  EXPECT_NE(one, images({n, 1, Purpose::data, 1}));
}

// Σ (observed − expected)²/expected, over cells that are equally likely
double chi_square(const std::vector<Index>& counts, double expected) {
  double sum = 0;
  for (const Index count : counts)
    sum += (double(count) - expected) * (double(count) - expected) / expected;
  return sum;
}

TEST(Permutation, SendsEveryNumberEverywhere) {
  // Over the seeds, number i is at each of n places equally often. For n = 7, 48 and 100 the 99.99
  // % quantiles of χ² with n − 1 degrees of freedom are 27.9, 91.7 and 161.
  struct Case {
    Index n;
    double most;
  };
  for (const auto& [n, most] : {Case{7, 27.9}, Case{48, 91.7}, Case{100, 161}})
    for (const Index i : {Index(0), n / 2, n - 1}) {
      std::vector<Index> counts(std::size_t(n), 0);
      constexpr Index per_place = 200;
      for (Index seed = 0; seed < per_place * n; ++seed)
        ++counts[std::size_t(Permutation(n, std::uint64_t(seed), Purpose::data)(i))];
      EXPECT_LT(chi_square(counts, per_place), most) << n << ", " << i;
    }
}

TEST(Permutation, EveryOrderOfFourIsAsLikely) {
  std::vector<Index> counts(24, 0);
  constexpr Index per_order = 400;
  for (Index seed = 0; seed < per_order * 24; ++seed) {
    const Permutation order(4, std::uint64_t(seed), Purpose::data);
    Index number = 0;  // of the order among all: count, at each place, the smaller ones that follow
    for (Index i = 0; i < 4; ++i) {
      Index smaller = 0;
      for (Index j = i + 1; j < 4; ++j) smaller += order(j) < order(i);
      number = number * (4 - i) + smaller;
    }
    ++counts[std::size_t(number)];
  }
  EXPECT_LT(chi_square(counts, per_order), 58.6);  // 99.99 % with 23 degrees of freedom
}

TEST(Permutation, NeighboursAreNotKeptTogether) {
  // In a random order |order(i+1) − order(i)| is 1 with probability 2/n.
  const Index n = 20'000;
  const Permutation order(n, 3, Purpose::data);
  Index together = 0;
  for (Index i = 0; i + 1 < n; ++i) together += std::abs(order(i + 1) - order(i)) == 1;
  EXPECT_LE(together, 10);  // 2 expected
}

}  // namespace
}  // namespace tamis
