// φ(r) = λ Σ_α √ξ_α‖r_α‖₂: whole blocks of entries are wrong, or, with no groups given, whole
// samples.
//
// prox with a box (t = weight of the norm, M possibly infinite): x = 0 iff ‖q‖ ≤ t, otherwise
// x = clip(q·n/(n+t)) with n = ‖x‖, the root in (0, ‖q‖ − t] of the decreasing
// ‖clip(q/(n+t), ±M/n)‖ = 1. For r ≥ 0 use q₊.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tamis/regularizer/groups.hpp"
#include "tamis/regularizer/outlier_set.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct GroupOutliers {
  static constexpr std::string_view name = "group";
  static constexpr std::string_view help =
      "λ Σ √ξ‖r_α‖₂: blocks of ξ entries are wrong; without groups, whole samples";
  static constexpr bool entrywise = false;
  static constexpr bool uses_groups = true;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  template <class T>
  void prox(VectorRef<T> r, T t, T lambda, OutlierSet<T> set, const Groups& groups) const {
    shrink_blocks<T>(r, weighted(double(lambda), double(t)), set, groups);
  }

  template <class T>
  double value(ConstVectorRef<T> r, double lambda, const Groups& groups) const {
    return weighted(lambda, block_norms<T>(r, groups));
  }

  // Σ √ξ‖r_α‖₂
  template <class T>
  static double block_norms(ConstVectorRef<T> r, const Groups& groups) {
    double sum = 0;
    for_each_group(groups, r.size(), [&](Index xi, auto at) {
      double squares = 0;
      for (Index i = 0; i < xi; ++i) squares += double(r[at(i)]) * double(r[at(i)]);
      sum += std::sqrt(double(xi) * squares);
    });
    return sum;
  }

  // argmin over x ∈ 𝓡 of ½‖x − r‖² + t Σ √ξ‖x_α‖₂, in place
  template <class T>
  static void shrink_blocks(VectorRef<T> r, double t, OutlierSet<T> set, const Groups& groups) {
    for_each_group(groups, r.size(), [&](Index xi, auto at) {
      shrink_block(r, xi, at, t * std::sqrt(double(xi)), set);
    });
  }

 private:
  template <class T, class At>
  static void shrink_block(VectorRef<T>& x, Index xi, At at, double t, OutlierSet<T> set) {
    double squares = 0;
    double largest = 0;
    for (Index i = 0; i < xi; ++i) {
      T& q = x[at(i)];
      if (set.low == T(0) && q < T(0)) q = T(0);
      if (std::isnan(q)) continue;  // missing: outside of the penalty
      squares += double(q) * double(q);
      largest = std::max(largest, std::abs(double(q)));
    }
    const double norm = std::sqrt(squares);
    double factor = norm > t ? 1 - t / norm : 0;
    if (factor * largest > double(set.high)) {
      factor = clipped_factor(x, xi, at, t, norm, double(set.high));
    }
    for (Index i = 0; i < xi; ++i) x[at(i)] = set.clip(T(double(x[at(i)]) * factor));
  }

  // n/(n+t) at the root n when some entries reach the bound M: bisection, because the function is
  // monotone and the bracket is tight: one entry at M makes n ≥ M, all of them n ≤ M√ξ.
  template <class T, class At>
  static double clipped_factor(const VectorRef<T>& q, Index xi, At at, double t, double norm,
                               double M) {
    double low = M;
    double high = std::min(norm - t, M * std::sqrt(double(xi)));
    for (;;) {
      const double n = low + (high - low) / 2;
      if (!(low < n && n < high)) return n / (n + t);
      double squares = 0;
      for (Index i = 0; i < xi; ++i) {
        const double magnitude = std::abs(double(q[at(i)]));
        if (std::isnan(magnitude)) continue;
        const double entry = std::min(magnitude / (n + t), M / n);
        squares += entry * entry;
      }
      (squares > 1 ? low : high) = n;
    }
  }
};

}  // namespace tamis
