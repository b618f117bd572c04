// Each atom w with pull −∇ is a block in the sense of kkt_block.hpp once the multiplier of its norm
// bound is known. A bound b(w) ≤ 1 adds μ∇b, μ ≥ 0, to the optimality condition
//
//   pull − λ₁ = μ∇b(w) − ν,   ν ≥ 0,  ν·w = 0,  μ(1 − b(w)) = 0,
//
// and the inner product with w eliminates ν: μ = (pull − λ₁)·w / ∇b(w)·w.
#include <algorithm>
#include <cmath>
#include <variant>

#include "support/kkt.hpp"
#include "support/kkt_block.hpp"

namespace judge {

using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

namespace {

constexpr Box anywhere{};
constexpr Box nonnegative{.low = 0};

struct Atom {
  Vector<double> w;
  Vector<double> pull;  // B − WA − λ₂W, this column
  double l1;
  double gradient_scale;
  double free_scale;  // of w where C itself does not give one

  Residuals verify(const Vector<double>& multiplier_part, const Box& box,
                   double point_scale) const {
    return verify_block(w, pull - multiplier_part, {.l1 = l1}, box, {gradient_scale, point_scale});
  }
  Residuals verify(const Box& box, double point_scale) const {
    return verify(Vector<double>::Zero(w.size()), box, point_scale);
  }
  // The multiplier of a bound with gradient `normal` at w; 0 where the bound has none.
  double multiplier(const Vector<double>& normal) const {
    const double along = normal.dot(w);
    return along > 0 ? (pull.array() - l1).matrix().dot(w) / along : 0;
  }
};

// w ≥ 0 and an upper bound with gradient `normal`; slack = 1 − b(w).
Residuals verify_bounded(const Atom& atom, const Vector<double>& normal, double slack,
                         double point_scale) {
  const double mu = std::max(0.0, atom.multiplier(normal));
  Residuals active = atom.verify(mu * normal, nonnegative, point_scale);
  active.complementarity = std::max(active.complementarity, std::abs(slack));
  Residuals result = better_of(atom.verify(nonnegative, point_scale), active);
  result.feasibility = std::max(result.feasibility, -slack);
  return result;
}

struct VerifyAtom {
  const Atom& atom;

  Residuals operator()(const tamis::Unconstrained&) const {
    return atom.verify(anywhere, atom.free_scale);
  }

  Residuals operator()(const tamis::NonNegative&) const {
    return atom.verify(nonnegative, atom.free_scale);
  }

  Residuals operator()(const tamis::Ball&) const {
    return verify_bounded(atom, atom.w, 1 - atom.w.norm(), 1);
  }

  Residuals operator()(const tamis::ElasticNetBall& C) const {
    if (C.g1 == 0 && C.g2 == 0) return atom.verify(nonnegative, atom.free_scale);
    const Vector<double> normal = (C.g2 * atom.w).array() + C.g1;
    const double bound = C.g1 * atom.w.sum() + C.g2 / 2 * atom.w.squaredNorm();
    const double largest_entry = 2 / (C.g1 + std::sqrt(C.g1 * C.g1 + 2 * C.g2));
    return verify_bounded(atom, normal, 1 - bound, largest_entry);
  }

  // The sum is fixed, so its multiplier has no sign.
  Residuals operator()(const tamis::Simplex&) const {
    const Vector<double> ones = Vector<double>::Ones(atom.w.size());
    Residuals result = atom.verify(atom.multiplier(ones) * ones, nonnegative, 1);
    result.feasibility = std::max(result.feasibility, std::abs(atom.w.sum() - 1));
    return result;
  }
};

double first_positive(double a, double b) { return a > 0 ? a : (b > 0 ? b : 1); }

}  // namespace

double dictionary_objective(const Matrix<double>& W, const Matrix<double>& A,
                            const Matrix<double>& B, const tamis::DictionaryPenalty& penalty) {
  return (W.transpose() * W * A).trace() / 2 - (W.transpose() * B).trace() +
         penalty.l1 * W.cwiseAbs().sum() + penalty.l2 / 2 * W.squaredNorm();
}

Residuals verify_dictionary(const Matrix<double>& W, const Matrix<double>& A,
                            const Matrix<double>& B, const tamis::Constraint& constraint,
                            const tamis::DictionaryPenalty& penalty) {
  const Matrix<double> WA = W * A + penalty.l2 * W;
  const Matrix<double> pull = B - WA;
  const double curvature = A.diagonal().maxCoeff() + penalty.l2;
  // C may keep WA away from B, so both terms of the gradient count.
  const double gradient_scale =
      first_positive(std::max(B.cwiseAbs().maxCoeff(), WA.cwiseAbs().maxCoeff()), curvature);
  const double free_scale = curvature > 0 ? gradient_scale / curvature : 1;
  Residuals worst;
  for (Index j = 0; j < W.cols(); ++j) {
    const Atom atom{W.col(j), pull.col(j), penalty.l1, gradient_scale, free_scale};
    worst.include(std::visit(VerifyAtom{atom}, constraint));
  }
  return worst;
}

}  // namespace judge
