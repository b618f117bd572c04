// |Δx|/|x| < tolerance, the study's stopping rule. x may be negative (p(W) can), and 0.
#pragma once

#include <cmath>

namespace tamis {

inline bool settled(double now, double before, double tolerance) {
  return std::abs(now - before) < tolerance * std::abs(before) || (now == 0 && before == 0);
}

}  // namespace tamis
