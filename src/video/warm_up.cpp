#include "video/warm_up.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "kernels/clones.hpp"

namespace tamis {
namespace {

constexpr double gaussian = 1.4826;  // standard deviations per median deviation
constexpr double least_sigma = 0.5;  // gray levels: what rounding hides
constexpr Index block = 512;         // entries
constexpr Index plenty = 200000;     // entries that are enough for one number
constexpr std::size_t levels = 256;
using Counts = std::array<Index, levels>;

// The value number `rank` from below of each of `count` entries, in n rows, fewer than 65536: bit
// by bit from the highest, many entries at once.
template <class Count>
[[gnu::always_inline]] inline void find_order_statistic(const std::uint8_t* const* rows,
                                                        std::size_t n, Index begin, Index count,
                                                        std::size_t rank,
                                                        std::uint8_t* __restrict result) {
  std::array<Count, std::size_t(block)> below;
  std::array<std::uint8_t, std::size_t(block)> candidate;
  std::fill_n(result, count, std::uint8_t(0));
  for (int bit = 128; bit > 0; bit /= 2) {
    for (Index i = 0; i < count; ++i) candidate[std::size_t(i)] = std::uint8_t(result[i] | bit);
    below.fill(0);
    for (std::size_t t = 0; t < n; ++t) {
      const std::uint8_t* __restrict const row = rows[t] + begin;
      for (Index i = 0; i < count; ++i)
        below[std::size_t(i)] =
            Count(below[std::size_t(i)] + (row[i] < candidate[std::size_t(i)] ? 1 : 0));
    }
    for (Index i = 0; i < count; ++i)
      result[i] = below[std::size_t(i)] <= rank ? candidate[std::size_t(i)] : result[i];
  }
}

TAMIS_CLONES
void order_statistic(const std::uint8_t* const* rows, std::size_t n, Index begin, Index count,
                     std::size_t rank, std::uint8_t* __restrict result) {
  if (n < 256) {
    find_order_statistic<std::uint8_t>(rows, n, begin, count, rank, result);
  } else {
    find_order_statistic<std::uint16_t>(rows, n, begin, count, rank, result);
  }
}

double median_of(const Counts& counts) {
  Index total = 0;
  for (const Index count : counts) total += count;
  Index below = 0;
  std::size_t bin = 0;
  while (bin + 1 < levels && (below += counts[bin]) * 2 < total) ++bin;
  return double(bin);
}

}  // namespace

WarmUp warm_up(std::span<const Frame> frames, const Executor& executor) {
  const Index F = frames.front().shape.entries();
  const std::size_t n = frames.size();
  std::vector<const std::uint8_t*> rows(n);
  for (std::size_t t = 0; t < n; ++t) rows[t] = frames[t].data.data();
  WarmUp warm{Vector<float>(F), Vector<float>(F), 0};
  std::vector<Counts> counts(std::size_t(executor.slots()), Counts{});
  const Index thinned = 1 + F / plenty;
  executor.for_each_block(F, block, [&](Index begin, Index end, int slot) {
    const Index count = end - begin;
    std::array<std::uint8_t, std::size_t(block)> median, change{};
    order_statistic(rows.data(), n, begin, count, n / 2, median.data());
    std::vector<std::uint8_t> changes((n - 1) * std::size_t(count));
    std::vector<const std::uint8_t*> change_rows(n - 1);
    for (std::size_t t = 1; t < n; ++t) {
      std::uint8_t* const row = changes.data() + (t - 1) * std::size_t(count);
      change_rows[t - 1] = row;
      for (Index i = 0; i < count; ++i) {
        const int difference = int(rows[t][begin + i]) - int(rows[t - 1][begin + i]);
        row[i] = std::uint8_t(std::abs(difference));
      }
    }
    if (n > 1) order_statistic(change_rows.data(), n - 1, 0, count, (n - 1) / 2, change.data());
    for (Index i = 0; i < count; ++i) {
      const int middle = median[std::size_t(i)];
      warm.median[begin + i] = float(middle);
      warm.change[begin + i] = float(change[std::size_t(i)]);
      if (begin / block % thinned != 0) continue;
      for (std::size_t t = 0; t < n; ++t)
        ++counts[std::size_t(slot)][std::size_t(std::abs(int(rows[t][begin + i]) - middle))];
    }
  });
  for (std::size_t slot = 1; slot < counts.size(); ++slot)
    for (std::size_t bin = 0; bin < levels; ++bin) counts[0][bin] += counts[slot][bin];
  warm.sigma = std::max(gaussian * median_of(counts[0]), least_sigma);
  return warm;
}

Matrix<float> first_atoms(std::span<const Frame> frames, const WarmUp& warm, Index K) {
  constexpr double noise = 3;  // standard deviations
  const auto most = float(noise * warm.sigma);
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
