// C = {w ≥ 0, ‖w‖₁ = 1}. P_C(y) = (y − θ)₊ with θ such that the sum is 1.
#pragma once

#include <cmath>
#include <string_view>

#include "tamis/types.hpp"

namespace tamis {

struct Simplex {
  static constexpr std::string_view name = "simplex";
  static constexpr std::string_view help = "w ≥ 0, ‖w‖₁ = 1";
  static constexpr bool nonnegative = true;
  static constexpr bool scale_free = false;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  bool bounded() const { return true; }

  template <class T>
  void project(VectorRef<T> w) const;

  // Of a dense column a projection leaves few entries; a start keeps its shape.
  template <class T>
  void scale(VectorRef<T> w) const {
    w = w.cwiseMax(T(0));
    if (const T sum = w.sum(); sum > 0 && std::isfinite(sum)) w /= sum;
  }

  template <class T>
  bool is_feasible(ConstVectorRef<T> w, double tolerance) const {
    return w.minCoeff() >= -tolerance && std::abs(w.template cast<double>().sum() - 1) <= tolerance;
  }
};

}  // namespace tamis
