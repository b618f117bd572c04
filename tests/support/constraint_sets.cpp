#include "support/constraint_sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "tamis/fields.hpp"

namespace judge {

using tamis::Constraint;
using tamis::Index;
using tamis::Vector;

namespace {

// The norm bound of a nonnegative set as g1‖w‖₁ + g2/2‖w‖² ≤ 1; both 0: no bound.
struct NormBound {
  double g1;
  double g2;

  double value(const Vector<double>& w) const { return g1 * w.sum() + g2 / 2 * w.squaredNorm(); }
  // The largest x with g1·x + g2/2·x² = left.
  double largest(double left) const { return 2 * left / (g1 + std::sqrt(g1 * g1 + 2 * g2 * left)); }
};

NormBound bound_of(const Constraint& constraint) {
  if (std::holds_alternative<tamis::Ball>(constraint)) return {0, 2};
  if (std::holds_alternative<tamis::Simplex>(constraint)) return {1, 0};
  if (const auto* C = std::get_if<tamis::ElasticNetBall>(&constraint)) return {C->g1, C->g2};
  return {0, 0};
}

bool is_simplex(const Constraint& constraint) {
  return std::holds_alternative<tamis::Simplex>(constraint);
}

}  // namespace

std::vector<Constraint> all_constraints() {
  return {tamis::Ball{},
          tamis::NonNegative{},
          tamis::Simplex{},
          tamis::ElasticNetBall{1, 1},
          tamis::ElasticNetBall{0.01, 5},
          tamis::ElasticNetBall{3, 0.001},
          tamis::ElasticNetBall{0, 2},
          tamis::ElasticNetBall{0.8, 0},
          tamis::ElasticNetBall{0, 0},
          tamis::Unconstrained{}};
}

std::string describe(const Constraint& constraint) {
  std::string text(tamis::name_of(constraint));
  if (const auto* C = std::get_if<tamis::ElasticNetBall>(&constraint)) {
    text += ":" + std::to_string(C->g1) + "," + std::to_string(C->g2);
  }
  return text;
}

SearchRange column_range(const Constraint& constraint, const Vector<double>& w, Index i, Index n,
                         double reach) {
  if (std::holds_alternative<tamis::Unconstrained>(constraint)) return {-reach, reach};
  const NormBound bound = bound_of(constraint);
  if (bound.g1 == 0 && bound.g2 == 0) return {0, reach};
  const double left = std::max(0.0, 1 - bound.value(w.head(i)));
  const double high = left == 0 ? 0 : bound.largest(left);
  return {is_simplex(constraint) && i + 1 == n ? high : 0, high};
}

double violation(const Constraint& constraint, const Vector<double>& w) {
  if (!w.allFinite()) return std::numeric_limits<double>::infinity();
  if (std::holds_alternative<tamis::Unconstrained>(constraint)) return 0;
  const double excess = bound_of(constraint).value(w) - 1;
  return std::max({0.0, -w.minCoeff(), is_simplex(constraint) ? std::abs(excess) : excess});
}

Vector<double> random_member(const Constraint& constraint, Index n, double reach,
                             RandomData& random) {
  Vector<double> w = random.normal_vector(n, reach);
  if (std::holds_alternative<tamis::Unconstrained>(constraint)) return w;
  w = w.cwiseAbs() / reach;
  const double sparsity = random.uniform(0, 1);
  for (Index i = 1; i < n; ++i) w[i] = random.uniform(0, 1) < sparsity ? 0 : w[i];

  const NormBound bound = bound_of(constraint);
  if (bound.g1 == 0 && bound.g2 == 0) return reach * w;
  const bool inside = !is_simplex(constraint) && random.uniform(0, 1) < 0.5;
  return (inside ? random.uniform(0, 1) : 1 - 1e-15) * scaled_to_bound(constraint, w);
}

Vector<double> scaled_to_bound(const Constraint& constraint, const Vector<double>& w) {
  const NormBound bound = bound_of(constraint);
  if (bound.g1 == 0 && bound.g2 == 0) return w;
  return NormBound{bound.g1 * w.sum(), bound.g2 * w.squaredNorm()}.largest(1) * w;
}

}  // namespace judge
