// Counter-based random numbers: a stream is named by (seed, purpose, epoch, index), so a sample
// gets the same numbers whichever thread or rank draws them, and nothing has to be saved to go on
// later.
#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <numbers>

#include "tamis/types.hpp"

namespace tamis {

enum class Purpose : std::uint32_t { dictionary, codes, outliers, shuffle, reseed, data, draws };

// Purpose and epoch in one word of a counter.
std::uint32_t purpose_tag(Purpose purpose, Index epoch);

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, Index epoch = 0, Index index = 0);

  double uniform();      // on (0, 1)
  double normal();       // N(0, 1)
  Index below(Index n);  // uniform on {0, …, n−1}

  template <class T>
  void fill_uniform(VectorRef<T> x) {
    for (Index i = 0; i < x.size(); ++i) x[i] = T(uniform());
  }
  template <class T>
  void fill_half_normal(VectorRef<T> x) {
    for (Index i = 0; i < x.size(); ++i) x[i] = T(std::abs(normal()));
  }

 private:
  std::uint64_t next();

  using Generator = r123::Philox4x32;
  Generator::key_type key_;
  Generator::ctr_type counter_;
  Generator::ctr_type block_;
  int used_ = 4;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace tamis
