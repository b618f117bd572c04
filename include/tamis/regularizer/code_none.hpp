// ψ(h) = 0: only h ≥ 0.
#pragma once

#include <string_view>

#include "tamis/types.hpp"

namespace tamis {

struct NoCodePenalty {
  static constexpr std::string_view name = "none";
  static constexpr std::string_view help = "h ≥ 0 only";
  static constexpr bool uses_groups = false;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  bool active() const { return false; }

  // prox: argmin over h ≥ 0 of ½‖h − x‖² + tψ(h), in place.
  template <class T>
  void prox(VectorRef<T> h, T, const Groups&) const {
    h = h.cwiseMax(T(0));
  }

  template <class T>
  double value(ConstVectorRef<T>, const Groups&) const {
    return 0;
  }
};

}  // namespace tamis
