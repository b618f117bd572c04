#include "noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace tamis {
namespace {

double lower_edge(std::size_t bin) {
  return double(std::bit_cast<float>(static_cast<std::uint32_t>(bin) << histogram_shift));
}

}  // namespace

void ResidualHistogram::clear() { std::ranges::fill(counts_, 0); }

template <class T>
void ResidualHistogram::add(ConstVectorRef<T> v, ConstVectorRef<T> p) {
  constexpr auto largest = double(std::numeric_limits<float>::max());
  for (Index i = 0; i < v.size(); ++i) {
    if (std::isnan(v[i])) continue;
    const float residual =
        static_cast<float>(std::min(std::abs(double(v[i]) - double(p[i])), largest));
    if (residual > 0) ++counts_[std::bit_cast<std::uint32_t>(residual) >> histogram_shift];
  }
}

void ResidualHistogram::add(const ResidualHistogram& other) {
  for (std::size_t i = 0; i < bins; ++i) counts_[i] += other.counts_[i];
}

void ResidualHistogram::add_news(const ResidualHistogram& other, ResidualHistogram& before) {
  for (std::size_t i = 0; i < bins; ++i) {
    const std::uint32_t now = other.counts_[i];  // may have begun anew at 0, as the difference does
    counts_[i] += now - before.counts_[i];
    before.counts_[i] = now;
  }
}

void ResidualHistogram::add_to(std::span<double> totals) const {
  constexpr std::size_t zero = 0;
  constexpr std::size_t infinity = std::bit_cast<std::uint32_t>(HUGE_VALF) >> histogram_shift;
  for (std::size_t i = zero + 1; i < infinity; ++i) totals[i] += double(counts_[i]);
}

double noise_scale(std::span<const double> counts) {
  constexpr double median_of_half_normal = 0.6744897501960817;
  const double half = std::accumulate(counts.begin(), counts.end(), 0.0) / 2;
  double below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
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
