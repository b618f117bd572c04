// h₀ and r₀ of the published encoders: uniform on [0, 1], or half-normal when W₀ is; r₀ then moved
// into 𝓡.
#pragma once

#include <cstdint>
#include <variant>

#include "random/random.hpp"
#include "tamis/initializer/initializer.hpp"
#include "tamis/regularizer/outlier_set.hpp"

namespace tamis {

template <class T>
struct RandomStart {
  std::uint64_t seed = 0;
  bool half_normal = false;

  RandomStart() = default;
  RandomStart(std::uint64_t seed_, const Init& init)
      : seed(seed_), half_normal(std::holds_alternative<HalfNormalInit>(init)) {}

  void draw_codes(Index epoch, Index sample, VectorRef<T> h) const {
    fill(RandomStream(seed, Purpose::codes, epoch, sample), h);
  }

  void draw(Index epoch, Index sample, OutlierSet<T> set, VectorRef<T> h, VectorRef<T> r) const {
    draw_codes(epoch, sample, h);
    fill(RandomStream(seed, Purpose::outliers, epoch, sample), r);
    for (Index i = 0; i < r.size(); ++i) r[i] = set.clip(r[i]);
  }

 private:
  void fill(RandomStream stream, VectorRef<T> x) const {
    half_normal ? stream.fill_half_normal<T>(x) : stream.fill_uniform<T>(x);
  }
};

}  // namespace tamis
