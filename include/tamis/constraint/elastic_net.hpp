// C = {w ≥ 0, g₁‖w‖₁ + g₂/2‖w‖₂² ≤ 1}; g₁ = 0 is a Euclidean ball, g₂ = 0 an ℓ1 ball.
//
// P_C(y) = (y − μg₁)₊ / (1 + μg₂) with μ = 0 if y₊ ∈ C, otherwise the μ > 0 that meets the bound.
// The bound as a function of μ is convex and decreasing, so Newton's method approaches the root
// from the left without safeguards. It starts where the largest entry alone would meet the bound,
// so that few steps suffice whatever the size of y, and it carries y_max − μg₁ instead of μ,
// because the difference of two huge numbers would have no digits left.
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
    if (value(w) <= 1) {
      w = w.cwiseMax(T(0));
      return;
    }
    const auto largest = double(w.maxCoeff());
    Root root = start(largest);
    for (int step = 0; step < most_steps; ++step) {
      const auto [excess, slope] = bound(w, largest, root);
      if (excess <= 0 || slope >= 0) break;
      if (!root.advance(-excess / slope, g1, g2)) break;
    }
    for (Index i = 0; i < w.size(); ++i) w[i] = T(root.entry(double(w[i]), largest));
  }

  // Of a dense column a projection leaves few entries; a start keeps its shape.
  template <class T>
  void scale(VectorRef<T> w) const {
    w = w.cwiseMax(T(0));
    if (!(value(w) > 1)) return;
    const double sum = g1 * w.template cast<double>().sum();
    const double squares = g2 * w.template cast<double>().squaredNorm();
    w *= T(2 / (sum + std::sqrt(sum * sum + 2 * squares)));
  }

  template <class T>
  bool is_feasible(ConstVectorRef<T> w, double tolerance) const {
    return w.minCoeff() >= -tolerance && value(w) <= 1 + tolerance;
  }

 private:
  struct Root {
    double top;    // y_max − μg₁
    double scale;  // 1 + μg₂

    double entry(double y, double largest) const {
      return std::max(0.0, top - (largest - y)) / scale;
    }

    // μ ← μ + step; false when that is too little to change anything
    bool advance(double step, double linear, double quadratic) {
      constexpr double resolution = 4 * std::numeric_limits<double>::epsilon();
      const bool moves = step * linear > resolution * top || step * quadratic > resolution * scale;
      top -= step * linear;
      scale += step * quadratic;
      return moves;
    }
  };

  struct Bound {
    double excess;  // g₁‖x‖₁ + g₂/2‖x‖² − 1 at x = (w − μg₁)₊/(1 + μg₂)
    double slope;   // its derivative in μ
  };

  // The μ at which a column with the single entry y meets the bound; 0 if y is within it.
  Root start(double y) const {
    const double x = 2 / (g1 + std::sqrt(g1 * g1 + 2 * g2));  // g₁x + g₂/2 x² = 1
    if (y <= x) return {y, 1};
    const double mu = (y - x) / (g1 + g2 * x);
    const double scale = 1 + mu * g2;
    return {x * scale, scale};
  }

  template <class Column>
  Bound bound(const Column& w, double largest, const Root& root) const {
    Bound result{-1, 0};
    for (Index i = 0; i < w.size(); ++i) {
      const double x = root.entry(double(w[i]), largest);
      if (x == 0) continue;
      result.excess += g1 * x + g2 / 2 * x * x;
      result.slope -= (g1 + g2 * x) * (g1 + g2 * x);  // dx/dμ = −(g₁ + g₂x)/(1 + μg₂)
    }
    result.slope /= root.scale;
    return result;
  }

  // g₁‖w₊‖₁ + g₂/2‖w₊‖²
  template <class Column>
  double value(const Column& w) const {
    double sum = 0;
    for (Index i = 0; i < w.size(); ++i) {
      const double x = std::max(0.0, double(w[i]));
      sum += x * (g1 + g2 / 2 * x);
    }
    return sum;
  }
};

}  // namespace tamis
