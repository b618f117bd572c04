// What an algorithm assumes where the user says nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tamis/forget.hpp"
#include "tamis/lambda.hpp"
#include "tamis/normalize.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct AlgorithmDefaults {
  Lambda lambda;
  double max_outlier;
  Index batch_size;
  Forget forget;
  Normalize normalize;
  bool reseed;
};

// The canonical setting of the study: λ = 1/√F, M = 1, samples scaled to unit maximum, τ = 5·10⁻⁵N.
inline AlgorithmDefaults published_defaults(std::optional<Index> N) {
  constexpr Index batch_when_unknown = 5;
  const Index tau =
      N ? std::max<Index>(1, Index(std::lround(5e-5 * double(*N)))) : batch_when_unknown;
  return {LambdaPaper{}, 1.0, tau, ForgetNothing{}, NormalizeMax{}, false};
}

}  // namespace tamis
