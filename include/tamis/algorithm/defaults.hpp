// What an algorithm assumes where the user says nothing, and what it can do.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "tamis/constraint/constraint.hpp"
#include "tamis/forget.hpp"
#include "tamis/lambda.hpp"
#include "tamis/normalize.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct AlgorithmDefaults {
  Lambda lambda;
  double max_outlier;
  Constraint constraint;
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
  return {LambdaPaper{}, 1.0, Ball{}, tau, ForgetNothing{}, NormalizeMax{}, false};
}

// The settings that an algorithm leaves open; Settings::violations names what is outside.
struct AlgorithmScope {
  std::string_view constraint = {};  // the only one that it knows; empty: any
  bool code_penalty = true;          // false: only `none`
  bool dictionary_penalty = true;    // false: only 0
  bool outliers = true;              // false: only λ = ∞
  bool missing = true;               // false: no missing entries
  bool signed_codes = false;         // true: codes may be negative, whoever computes them
};

}  // namespace tamis
