// ψ(h) = λ/2‖h‖²: small, spread-out codes.
#pragma once

#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct Tikhonov {
  static constexpr std::string_view name = "tikhonov";
  static constexpr std::string_view help = "λ/2‖h‖²";
  static constexpr bool uses_groups = false;

  double lambda = 0.1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("lambda", self.lambda, at_least(0), "weight λ");
  }

  bool active() const { return lambda > 0; }

  template <class T>
  void prox(VectorRef<T> h, T t, const Groups&) const {
    h = h.cwiseMax(T(0)) / (1 + t * T(lambda));
  }

  template <class T>
  double value(ConstVectorRef<T> h, const Groups&) const {
    return lambda / 2 * h.template cast<double>().squaredNorm();
  }
};

}  // namespace tamis
