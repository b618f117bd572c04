// ψ(h) = λ Σ_α √ξ_α ‖h_α‖₂ over groups α of ξ_α atoms: a sample uses few groups.
// Nonnegative prox: clip, then shrink each group towards 0.
#pragma once

#include <cmath>
#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/regularizer/groups.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct GroupLasso {
  static constexpr std::string_view name = "group";
  static constexpr std::string_view help = "λ Σ √ξ‖h_α‖₂ over groups of ξ atoms";
  static constexpr bool uses_groups = true;

  double lambda = 0.1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("lambda", self.lambda, at_least(0), "weight λ");
  }

  bool active() const { return lambda > 0; }

  template <class T>
  void prox(VectorRef<T> h, T t, const Groups& groups) const {
    h = h.cwiseMax(T(0));
    shrink_groups(h, t * T(lambda), groups);
  }

  template <class T>
  double value(ConstVectorRef<T> h, const Groups& groups) const {
    return lambda * group_norms(h, groups);
  }

  // Σ √ξ‖h_α‖₂
  template <class T>
  static double group_norms(ConstVectorRef<T> h, const Groups& groups) {
    double sum = 0;
    for_each_group(groups, h.size(),
                   [&](Index xi, auto at) { sum += std::sqrt(double(xi)) * norm_of(h, xi, at); });
    return sum;
  }

  // h_α ← (1 − t√ξ/‖h_α‖)₊ h_α
  template <class T>
  static void shrink_groups(VectorRef<T> h, T t, const Groups& groups) {
    for_each_group(groups, h.size(), [&](Index xi, auto at) {
      const double norm = norm_of(h, xi, at);
      const double threshold = double(t) * std::sqrt(double(xi));
      const T factor = norm > threshold ? T(1 - threshold / norm) : T(0);
      for (Index i = 0; i < xi; ++i) h[at(i)] *= factor;
    });
  }

 private:
  template <class Column, class At>
  static double norm_of(const Column& h, Index xi, At at) {
    double squares = 0;
    for (Index i = 0; i < xi; ++i) squares += double(h[at(i)]) * double(h[at(i)]);
    return std::sqrt(squares);
  }
};

}  // namespace tamis
