// Brute force for convex problems in up to four dimensions: golden-section search over the first
// coordinate, where each value is the minimum over the remaining ones, found in the same way.
// Minimising a convex function over some of its variables leaves it convex, so the result is the
// global minimum. Cost: about 55^n evaluations.
#pragma once

#include <cmath>
#include <utility>

#include "tamis/types.hpp"

namespace judge {

struct SearchRange {
  double low;
  double high;
};

// range(x, i): what coordinate i may be when coordinates 0…i−1 are those of x. f(x): the objective.
template <class Range, class Objective>
class NestedSearch {
 public:
  NestedSearch(tamis::Index n, Range range, Objective f)
      : x_(tamis::Vector<double>::Zero(n)),
        best_(tamis::Matrix<double>::Zero(n, n + 1)),
        range_(std::move(range)),
        f_(std::move(f)) {}

  tamis::Vector<double> minimize() {
    minimize_from(0);
    return best_.col(0);
  }

 private:
  // Minimum over coordinates i, i+1, …; leaves the minimiser in column i of best_.
  double minimize_from(tamis::Index i) {
    if (i == x_.size()) return f_(x_);
    constexpr double golden = 0.6180339887498949;
    auto [low, high] = range_(x_, i);
    double least = value_at(i, low);
    keep(i, low);
    const auto probe = [&](double at) {
      const double value = value_at(i, at);
      if (value < least) {
        least = value;
        keep(i, at);
      }
      return value;
    };
    probe(high);
    double left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double f_left = probe(left);
    double f_right = probe(right);
    for (int step = 0; step < 50; ++step) {
      if (f_left <= f_right) {
        high = right;
        right = left;
        f_right = f_left;
        f_left = probe(left = high - golden * (high - low));
      } else {
        low = left;
        left = right;
        f_left = f_right;
        f_right = probe(right = low + golden * (high - low));
      }
    }
    return least;
  }

  double value_at(tamis::Index i, double at) {
    x_[i] = at;
    return minimize_from(i + 1);
  }

  void keep(tamis::Index i, double at) {
    best_.col(i) = best_.col(i + 1);
    best_(i, i) = at;
  }

  tamis::Vector<double> x_;
  tamis::Matrix<double> best_;
  Range range_;
  Objective f_;
};

}  // namespace judge
