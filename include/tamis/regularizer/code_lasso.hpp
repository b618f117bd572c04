// ψ(h) = λ‖h‖₁: few atoms per sample.
#pragma once

#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct Lasso {
  static constexpr std::string_view name = "lasso";
  static constexpr std::string_view help = "λ‖h‖₁";
  static constexpr bool uses_groups = false;

  double lambda = 0.1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("lambda", self.lambda, at_least(0), "weight λ");
  }

  bool active() const { return lambda > 0; }

  template <class T>
  void prox(VectorRef<T> h, T t, const Groups&) const {
    h = (h.array() - t * T(lambda)).max(T(0));
  }

  template <class T>
  double value(ConstVectorRef<T> h, const Groups&) const {
    return lambda * h.template cast<double>().sum();
  }
};

}  // namespace tamis
