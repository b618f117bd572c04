// Histograms of residuals against lists of them: blocks of bins that are left out must be empty.
#include "noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/random_data.hpp"

namespace tamis::test {
namespace {

constexpr double median_of_half_normal = 0.6744897501960817;
constexpr float infinity = std::numeric_limits<float>::infinity();

// From 2^lowest to 2^highest
Vector<float> residuals(int lowest, int highest, std::uint64_t seed) {
  Vector<float> found = judge::RandomData(seed).uniform_matrix(500, 1).cast<float>();
  for (float& x : found) x = std::exp2(float(lowest) + x * float(highest - lowest));
  return found;
}

std::vector<double> naive_counts(const std::vector<Vector<float>>& lists) {
  std::vector<double> counts(ResidualHistogram::bins, 0);
  for (const auto& list : lists)
    for (const float x : list) ++counts[std::bit_cast<std::uint32_t>(x) >> histogram_shift];
  return counts;
}

std::vector<double> totals_of(const ResidualHistogram& histogram) {
  std::vector<double> totals(ResidualHistogram::bins, 0);
  histogram.add_to(totals);
  return totals;
}

void count(const Vector<float>& list, ResidualHistogram& histogram) {
  histogram.add<float>(list, Vector<float>::Zero(list.size()));
}

TEST(Noise, CountsAreThoseOfALoop) {
  const auto small = residuals(-126, -100, 1), large = residuals(90, 127, 2);
  ResidualHistogram histogram, other;
  count(small, histogram);
  EXPECT_EQ(totals_of(histogram), naive_counts({small}));
  count(large, other);
  histogram.add(other);
  EXPECT_EQ(totals_of(histogram), naive_counts({small, large}));
  histogram.clear();
  EXPECT_EQ(totals_of(histogram), naive_counts({}));
  count(large, histogram);
  EXPECT_EQ(totals_of(histogram), naive_counts({large}));
}

TEST(Noise, NewsAreWhatWasCountedSince) {
  const auto first = residuals(-20, 5, 3), second = residuals(-30, 10, 4);
  ResidualHistogram source, before;
  count(first, source);
  ResidualHistogram news;
  news.add_news(source, before);
  EXPECT_EQ(totals_of(news), naive_counts({first}));
  news.clear();
  news.add_news(source, before);
  EXPECT_EQ(totals_of(news), naive_counts({}));
  count(second, source);
  news.add_news(source, before);
  EXPECT_EQ(totals_of(news), naive_counts({second}));
}

// Kernels count by themselves, also what nobody wants: 0, infinity and NaN.
TEST(Noise, KernelsMayCountAnywhere) {
  ResidualHistogram histogram, before, news;
  for (const float x : {0.0F, 0.5F, infinity, std::numeric_limits<float>::quiet_NaN()})
    ++histogram.counts()[std::bit_cast<std::uint32_t>(x) >> histogram_shift];
  news.add_news(histogram, before);
  const Vector<float> half = Vector<float>::Constant(1, 0.5F);
  EXPECT_EQ(totals_of(news), naive_counts({half}));
  EXPECT_EQ(totals_of(histogram), naive_counts({half}));
}

TEST(Noise, TheScaleIsTheMedianWithinABin) {
  constexpr double bin = 1.0 / 16;  // its width, relative to its lower edge
  for (const auto& list : {residuals(-60, -50, 5), residuals(-2, 2, 6), residuals(-120, 120, 7)}) {
    Vector<float> sorted = list;
    std::ranges::sort(sorted);
    const double scale = noise_scale(naive_counts({list}));
    const Index middle = sorted.size() / 2;
    EXPECT_GE(scale * median_of_half_normal, sorted[middle - 1] * (1 - bin));
    EXPECT_LE(scale * median_of_half_normal, sorted[middle] * (1 + bin));
  }
}

// Wherever the median is: in the first or last bin of a block, before or behind empty ones
TEST(Noise, TheScaleOfAnyTwoBins) {
  for (const std::size_t low : {16, 63, 64, 65, 127, 128, 2000, 4000}) {
    std::vector<double> counts(ResidualHistogram::bins, 0);
    counts[low] = 3;
    counts[4010] = 2;
    const auto edge = [](std::size_t i) {
      return double(std::bit_cast<float>(std::uint32_t(i) << histogram_shift));
    };
    const double median = std::lerp(edge(low), edge(low + 1), 2.5 / 3);
    EXPECT_DOUBLE_EQ(noise_scale(counts) * median_of_half_normal, median) << low;
  }
  EXPECT_EQ(noise_scale(std::vector<double>(ResidualHistogram::bins, 0)), 0);
}

}  // namespace
}  // namespace tamis::test
