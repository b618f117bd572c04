// The study's synthetic set (Zhao, Tan 2017, section VI).
#pragma once

#include <cstdint>

#include "tamis/generate/planted.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct SyntheticOptions {
  Index F = 400;          // features
  Index K = 49;           // true rank
  Index N = 1000;         // samples
  double nu = 0.7;        // share of the samples with outliers
  double nu_tilde = 0.1;  // share of the entries of such a sample
  double noise = 1;       // standard deviation; as large as the whole range of the data
  std::uint64_t seed = 0;
};

// W°, H° i.i.d. half-normal with scale 1/√K, V° = clip(W°H°, 0, 1), then the contamination of
// corrupt.hpp. The study's text says *variance* 1/√K, which makes all of V° equal to 1.
template <class T>
Planted<T> synthetic(const SyntheticOptions& options = {});

}  // namespace tamis
