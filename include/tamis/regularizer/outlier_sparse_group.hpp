// φ(r) = λ(ν Σ_α √ξ_α‖r_α‖₂ + (1−ν)‖r‖₁), ν ∈ [0,1]: few blocks are wrong, and few entries within
// them. prox: soft-threshold, then shrink the blocks.
#pragma once

#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/regularizer/outlier_group.hpp"
#include "tamis/regularizer/outlier_set.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct SparseGroupOutliers {
  static constexpr std::string_view name = "sparse-group";
  static constexpr std::string_view help =
      "λ(ν Σ √ξ‖r_α‖₂ + (1−ν)‖r‖₁): few blocks, few entries in them";
  static constexpr bool entrywise = false;
  static constexpr bool uses_groups = true;

  double nu = 0.5;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("nu", self.nu, between(0, 1), "share ν of the group part");
  }

  template <class T>
  void prox(VectorRef<T> r, T t, T lambda, OutlierSet<T> set, const Groups& groups) const {
    entrywise_prox<T>(r, t, T(weighted(double(lambda), 1 - nu)), T(0), OutlierSet<T>::everything());
    GroupOutliers::shrink_blocks<T>(r, weighted(double(lambda), double(t) * nu), set, groups);
  }

  template <class T>
  double value(ConstVectorRef<T> r, double lambda, const Groups& groups) const {
    return weighted(lambda,
                    nu * GroupOutliers::block_norms<T>(r, groups) + (1 - nu) * l1_norm<T>(r));
  }
};

}  // namespace tamis
