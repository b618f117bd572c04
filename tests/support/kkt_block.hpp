// Optimality of one block x of variables that share a norm:
//
//   minimise f(x) + l1‖x‖₁ + group‖x‖₂ + quadratic/2‖x‖²  over  low ≤ x ≤ high,  low ≤ 0 < high,
//
// given pull = −∇f(x). Codes, outliers and atoms are all such blocks.
#pragma once

#include <limits>

#include "support/kkt.hpp"

namespace judge {

struct BlockPenalty {
  double l1 = 0;     // ∞ allowed
  double group = 0;  // ∞ allowed
  double quadratic = 0;
};

struct Box {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// What counts as 1 for gradients and for distances between points.
struct Scale {
  double gradient = 1;
  double point = 1;
};

Residuals verify_block(const tamis::Vector<double>& x, const tamis::Vector<double>& pull,
                       const BlockPenalty& penalty, const Box& box, const Scale& scale);

// Of two explanations of the same point the one that fits better.
Residuals better_of(const Residuals& a, const Residuals& b);

}  // namespace judge
