// C = {w ≥ 0}. P_C(y) = y₊.
#pragma once

#include <string_view>

#include "tamis/types.hpp"

namespace tamis {

struct NonNegative {
  static constexpr std::string_view name = "nonneg";
  static constexpr std::string_view help = "w ≥ 0";
  static constexpr bool nonnegative = true;
  static constexpr bool scale_free = true;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  bool bounded() const { return false; }

  template <class T>
  void project(VectorRef<T> w) const {
    w = w.cwiseMax(T(0));
  }

  template <class T>
  bool is_feasible(ConstVectorRef<T> w, double tolerance) const {
    return w.minCoeff() >= -tolerance;
  }
};

}  // namespace tamis
