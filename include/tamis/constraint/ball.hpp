// C = {w ≥ 0, ‖w‖₂ ≤ 1}, the study's own set. P_C(y) = y₊ / max(1, ‖y₊‖₂).
#pragma once

#include <algorithm>
#include <string_view>

#include "tamis/types.hpp"

namespace tamis {

struct Ball {
  static constexpr std::string_view name = "ball";
  static constexpr std::string_view help = "w ≥ 0, ‖w‖₂ ≤ 1";
  static constexpr bool nonnegative = true;
  static constexpr bool scale_free = true;  // without penalties the norm of an atom is only a gauge

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  bool bounded() const { return true; }

  template <class T>
  void project(VectorRef<T> w) const {
    w = w.cwiseMax(T(0));
    w /= std::max(T(1), w.stableNorm());
  }

  template <class T>
  bool is_feasible(ConstVectorRef<T> w, double tolerance) const {
    return w.minCoeff() >= -tolerance && double(w.stableNorm()) <= 1 + tolerance;
  }
};

}  // namespace tamis
