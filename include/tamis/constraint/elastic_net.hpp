// C = {w ≥ 0, g₁‖w‖₁ + g₂/2‖w‖₂² ≤ 1}; g₁ = 0 is a Euclidean ball, g₂ = 0 an ℓ1 ball.
//
// P_C(y) = (y − μg₁)₊ / (1 + μg₂) with μ = 0 if y₊ ∈ C, otherwise the μ > 0 that meets the bound.
// The bound as a function of μ is convex and decreasing, so Newton's method from μ = 0 approaches
// the root from the left without safeguards.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct ElasticNetBall {
  static constexpr std::string_view name = "elastic-net";
  static constexpr std::string_view help = "w ≥ 0, g1‖w‖₁ + g2/2‖w‖₂² ≤ 1";
  static constexpr bool nonnegative = true;
  static constexpr bool scale_free = false;

  double g1 = 1;
  double g2 = 1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("g1", self.g1, at_least(0), "weight of ‖w‖₁ in the bound");
    visit("g2", self.g2, at_least(0), "weight of ‖w‖₂²/2 in the bound");
  }

  bool bounded() const { return g1 > 0 || g2 > 0; }

  template <class T>
  void project(VectorRef<T> w) const {
    constexpr int most_steps = 100;
    double mu = 0;
    for (int step = 0; step < most_steps; ++step) {
      const auto [excess, slope] = bound(w, mu);
      if (excess <= 0 || slope >= 0) break;
      const double next = mu - excess / slope;
      if (!(next > mu * (1 + 4 * std::numeric_limits<double>::epsilon()))) break;
      mu = next;
    }
    const double scale = 1 / (1 + mu * g2);
    for (Index i = 0; i < w.size(); ++i) {
      w[i] = T(std::max(0.0, double(w[i]) - mu * g1) * scale);
    }
  }

  template <class T>
  bool is_feasible(ConstVectorRef<T> w, double tolerance) const {
    return w.minCoeff() >= -tolerance && bound(w, 0.0).excess <= tolerance;
  }

 private:
  struct Bound {
    double excess;  // g₁‖x‖₁ + g₂/2‖x‖² − 1 at x = (w − μg₁)₊/(1 + μg₂)
    double slope;   // its derivative in μ
  };

  template <class Column>
  Bound bound(const Column& w, double mu) const {
    const double scale = 1 / (1 + mu * g2);
    Bound result{-1, 0};
    for (Index i = 0; i < w.size(); ++i) {
      const double x = std::max(0.0, double(w[i]) - mu * g1) * scale;
      if (x == 0) continue;
      result.excess += g1 * x + g2 / 2 * x * x;
      result.slope -= (g1 + g2 * x) * (g1 + g2 * x) * scale;  // dx/dμ = −(g₁ + g₂x)/(1 + μg₂)
    }
    return result;
  }
};

}  // namespace tamis
