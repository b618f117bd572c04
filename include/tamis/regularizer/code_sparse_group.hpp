// ψ(h) = λ(ν Σ_α √ξ_α‖h_α‖₂ + (1−ν)‖h‖₁), ν ∈ [0,1]: few groups, and few atoms within them.
// Nonnegative prox: subtract the ℓ1 part, clip, then shrink each group.
#pragma once

#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/regularizer/code_group.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct SparseGroupLasso {
  static constexpr std::string_view name = "sparse-group";
  static constexpr std::string_view help = "λ(ν Σ √ξ‖h_α‖₂ + (1−ν)‖h‖₁)";
  static constexpr bool uses_groups = true;

  double lambda = 0.1;
  double nu = 0.5;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("lambda", self.lambda, at_least(0), "weight λ");
    visit("nu", self.nu, between(0, 1), "share ν of the group part");
  }

  bool active() const { return lambda > 0; }

  template <class T>
  void prox(VectorRef<T> h, T t, const Groups& groups) const {
    h = (h.array() - t * T(lambda * (1 - nu))).max(T(0));
    GroupLasso::shrink_groups(h, t * T(lambda * nu), groups);
  }

  template <class T>
  double value(ConstVectorRef<T> h, const Groups& groups) const {
    return lambda * (nu * GroupLasso::group_norms<T>(h, groups) +
                     (1 - nu) * h.template cast<double>().sum());
  }
};

}  // namespace tamis
