#include "noise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace tamis {
namespace {

double lower_edge(std::size_t bin) {
  return double(std::bit_cast<float>(static_cast<std::uint32_t>(bin) << histogram_shift));
}

}  // namespace

template <class Work>
void ResidualHistogram::for_each_used(const Work& work) const {
  for (std::uint64_t left = used_; left != 0; left &= left - 1)
    work(std::size_t(std::countr_zero(left)) * block);
}

void ResidualHistogram::clear() {
  for_each_used([&](std::size_t first) { std::fill_n(counts_.begin() + Index(first), block, 0); });
  used_ = 0;
}

template <class T>
void ResidualHistogram::add(ConstVectorRef<T> v, ConstVectorRef<T> p) {
  constexpr auto largest = double(std::numeric_limits<float>::max());
  for (Index i = 0; i < v.size(); ++i) {
    if (std::isnan(v[i])) continue;
    const float residual =
        static_cast<float>(std::min(std::abs(double(v[i]) - double(p[i])), largest));
    if (!(residual > 0)) continue;
    const std::size_t bin = std::bit_cast<std::uint32_t>(residual) >> histogram_shift;
    ++counts_[bin];
    used_ |= std::uint64_t(1) << bin / block;
  }
}

void ResidualHistogram::add(const ResidualHistogram& other) {
  other.for_each_used([&](std::size_t first) {
    for (std::size_t i = first; i < first + block; ++i) counts_[i] += other.counts_[i];
  });
  used_ |= other.used_;
}

void ResidualHistogram::add_news(const ResidualHistogram& other, ResidualHistogram& before) {
  other.for_each_used([&](std::size_t first) {
    std::uint32_t* const old = before.counts_.data() + first;
    const std::uint32_t* const now = other.counts_.data() + first;
    if (std::memcmp(now, old, block * sizeof(*now)) == 0) return;
    // A count may have begun anew at 0, as the difference does.
    for (std::size_t i = 0; i < block; ++i) counts_[first + i] += now[i] - old[i];
    std::copy_n(now, block, old);
    used_ |= std::uint64_t(1) << first / block;
  });
}

void ResidualHistogram::add_to(std::span<double> totals) const {
  constexpr std::size_t zero = 0;
  constexpr std::size_t infinity = std::bit_cast<std::uint32_t>(HUGE_VALF) >> histogram_shift;
  for_each_used([&](std::size_t first) {
    const std::size_t end = std::min(first + block, infinity);
    for (std::size_t i = std::max(first, zero + 1); i < end; ++i) totals[i] += double(counts_[i]);
  });
}

double noise_scale(std::span<const double> counts) {
  constexpr double median_of_half_normal = 0.6744897501960817;
  // Sums of whole numbers are exact, in whatever order: they may be made of vectors.
  constexpr std::size_t block = 64;
  const auto sum_of = [&](std::size_t first) {
    const std::size_t size = std::min(block, counts.size() - first);
    return Eigen::Map<const Vector<double>>(counts.data() + first, Index(size)).sum();
  };
  std::array<double, ResidualHistogram::bins / block> sums{};
  for (std::size_t b = 0; b * block < counts.size(); ++b) sums[b] = sum_of(b * block);
  const double half = std::accumulate(sums.begin(), sums.end(), 0.0) / 2;
  double below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i % block == 0 && below + sums[i / block] < half) {
      below += sums[i / block];
      i += block - 1;
      continue;
    }
    if (counts[i] == 0 || below + counts[i] < half) {
      below += counts[i];
      continue;
    }
    const double within = (half - below) / counts[i];
    const double median = std::lerp(lower_edge(i), lower_edge(i + 1), within);
    return median / median_of_half_normal;
  }
  return 0;
}

template void ResidualHistogram::add(ConstVectorRef<float>, ConstVectorRef<float>);
template void ResidualHistogram::add(ConstVectorRef<double>, ConstVectorRef<double>);

}  // namespace tamis
