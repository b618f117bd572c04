// φ(r) = λ‖r‖₁ + ν₂/2‖r‖²: as ℓ1, but large outliers are not free.
#pragma once

#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/regularizer/outlier_set.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct ElasticOutliers {
  static constexpr std::string_view name = "tikhonov";
  static constexpr std::string_view help = "λ‖r‖₁ + ν₂/2‖r‖²: large outliers cost more";
  static constexpr bool entrywise = true;
  static constexpr bool uses_groups = false;

  double nu2 = 0.1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("nu2", self.nu2, at_least(0), "weight ν₂ of the square");
  }

  double quadratic() const { return nu2; }

  template <class T>
  void prox(VectorRef<T> r, T t, T lambda, OutlierSet<T> set, const Groups&) const {
    entrywise_prox<T>(r, t, lambda, T(nu2), set);
  }

  template <class T>
  double value(ConstVectorRef<T> r, double lambda, const Groups&) const {
    return weighted(lambda, l1_norm<T>(r)) + nu2 / 2 * r.template cast<double>().squaredNorm();
  }
};

}  // namespace tamis
