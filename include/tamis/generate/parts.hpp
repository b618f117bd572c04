// A set made of parts that can be found again: up to order and scale, its factors are unique.
#pragma once

#include <cstdint>

#include "tamis/generate/planted.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct PartsOptions {
  Index F = 200;                // features, at least K
  Index K = 10;                 // parts
  Index N = 2000;               // samples
  double private_share = 0.5;   // share of the features that belong to one part only, in (0, 1]
  double shared_density = 0.3;  // probability that a part has one of the other features
  double active = 0.3;          // probability that a part is in a sample
  double nu = 0.7;              // share of the samples with outliers
  double nu_tilde = 0.1;        // share of the entries of such a sample
  double noise = 0.01;          // standard deviation
  std::uint64_t seed = 0;
};

// Present parts have weights in [½, 1]; everything is scaled so that V° fills [0, 1]. Private
// features and samples that lack parts make the factorization unique (Donoho, Stodden 2003). Not a
// Generator, because the scale is known only when all samples are.
template <class T>
Planted<T> parts(const PartsOptions& options = {});

}  // namespace tamis
