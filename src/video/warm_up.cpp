#include "video/warm_up.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace tamis {
namespace {

constexpr double gaussian = 1.4826;  // standard deviations per median deviation
constexpr double least_sigma = 0.5;  // gray levels: what rounding hides
constexpr std::size_t half_levels = 512;
using Counts = std::array<Index, half_levels>;

float median_of(std::vector<std::uint8_t>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return float(*middle);
  return (float(*middle) + float(*std::max_element(values.begin(), middle))) / 2;
}

double median_of(const Counts& counts) {
  Index total = 0;
  for (const Index count : counts) total += count;
  Index below = 0;
  std::size_t bin = 0;
  while (bin + 1 < half_levels && (below += counts[bin]) * 2 < total) ++bin;
  return double(bin) / 2;
}

}  // namespace

WarmUp warm_up(std::span<const Frame> frames, const Executor& executor) {
  const Index F = frames.front().shape.entries();
  WarmUp warm{Vector<float>(F), Vector<float>(F), 0};
  std::vector<Counts> counts(std::size_t(executor.slots()), Counts{});
  executor.for_each_block(F, row_block, [&](Index begin, Index end, int slot) {
    std::vector<std::uint8_t> values(frames.size()), changes(frames.size() - 1);
    for (Index i = begin; i < end; ++i) {
      const auto at = std::size_t(i);
      for (std::size_t t = 0; t < frames.size(); ++t) {
        values[t] = frames[t].data[at];
        if (t > 0) changes[t - 1] = std::uint8_t(std::abs(int(values[t]) - int(values[t - 1])));
      }
      const float median = warm.median[i] = median_of(values);
      warm.change[i] = median_of(changes);
      for (const std::uint8_t value : values)
        ++counts[std::size_t(slot)][std::size_t(2 * std::abs(float(value) - median))];
    }
  });
  for (std::size_t slot = 1; slot < counts.size(); ++slot)
    for (std::size_t bin = 0; bin < half_levels; ++bin) counts[0][bin] += counts[slot][bin];
  warm.sigma = std::max(gaussian * median_of(counts[0]), least_sigma);
  return warm;
}

Matrix<float> first_atoms(std::span<const Frame> frames, const WarmUp& warm, Index K) {
  constexpr double noise = 3;  // standard deviations
  const float most = float(noise * warm.sigma);
  const Index F = warm.median.size();
  Matrix<float> W(F, K);
  for (Index k = 0; k < K; ++k) {
    const double place = K > 1 ? double(k) * double(frames.size() - 1) / double(K - 1) : 0;
    const std::uint8_t* const v = frames[std::size_t(std::lround(place))].data.data();
    for (Index i = 0; i < F; ++i) {
      const float m = warm.median[i];
      W(i, k) = std::max(m + std::clamp(float(v[i]) - m, -most, most), 0.f);
    }
    W.col(k).stableNormalize();
  }
  return W;
}

}  // namespace tamis
