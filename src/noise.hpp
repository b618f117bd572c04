// The scale of the noise: σ̂ = median|v − Wh|/0.6745, from counts in fixed bins, so that threads and
// ranks can add theirs up exactly.
//
// Bins are logarithmic, 16 per octave, and the median is interpolated within its bin. Residuals
// that are exactly 0 are left out: they come from entries that are 0 in the data and in every atom
// used, and in sparse data they are so many that the median would say nothing about the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// A residual's bin is what is left of its bits as a float.
inline constexpr int histogram_shift = 23 - 4;

class ResidualHistogram {
 public:
  static constexpr std::size_t bins = 256 * 16;  // 8 bits of a float's exponent, 4 of its mantissa

  ResidualHistogram() : counts_(bins, 0) {}
  // Most bins stay empty: what is done to all of them leaves out the blocks that do.
  void clear();
  // |v − p| of all observed entries
  template <class T>
  void add(ConstVectorRef<T> v, ConstVectorRef<T> p);
  // The same for kernels that count by themselves; bins of 0, infinity and NaN are ignored.
  std::uint32_t* counts() {
    used_ = all_blocks;
    return counts_.data();
  }
  void add(const ResidualHistogram& other);
  // What `other` has counted since it was the same as `before`; `before` becomes the same as it
  // now.
  void add_news(const ResidualHistogram& other, ResidualHistogram& before);
  void add_to(std::span<double> totals) const;

 private:
  static constexpr std::size_t block = bins / 64;
  static constexpr std::uint64_t all_blocks = ~std::uint64_t(0);
  // work(first bin) for each block in which something was counted
  template <class Work>
  void for_each_used(const Work& work) const;

  std::vector<std::uint32_t> counts_;
  std::uint64_t used_ = 0;  // a bit per block
};

// median/0.6745 of the counted residuals; 0 if there are none
double noise_scale(std::span<const double> counts);

}  // namespace tamis
