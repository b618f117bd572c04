// φ(r) = λ‖r‖₁: single entries are wrong. With the box its prox is the study's S̃_{λ,M}.
#pragma once

#include <string_view>

#include "tamis/regularizer/outlier_set.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct L1 {
  static constexpr std::string_view name = "l1";
  static constexpr std::string_view help = "λ‖r‖₁: single entries are wrong";
  static constexpr bool entrywise = true;
  static constexpr bool uses_groups = false;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  // ν₂ of λ‖r‖₁ + ν₂/2‖r‖², all that the fused kernels need of an entrywise penalty
  double quadratic() const { return 0; }

  // prox: argmin over x ∈ 𝓡 of ½‖x − r‖² + tφ(x), in place.
  template <class T>
  void prox(VectorRef<T> r, T t, T lambda, OutlierSet<T> set, const Groups&) const {
    entrywise_prox<T>(r, t, lambda, T(0), set);
  }

  template <class T>
  double value(ConstVectorRef<T> r, double lambda, const Groups&) const {
    return weighted(lambda, l1_norm<T>(r));
  }
};

}  // namespace tamis
