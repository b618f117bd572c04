// Both halves of the encoding problem are blocks in the sense of kkt_block.hpp: the codes with
// pull Wᵀe in [0, ∞), the outliers with pull e in 𝓡, where e = v − Wh − r on the observed entries.
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/kkt.hpp"
#include "support/kkt_block.hpp"
#include "support/penalty_weights.hpp"

namespace judge {

using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

namespace {

double one_if_zero(double x) { return x > 0 ? x : 1; }

// e = v − Wh − r, 0 where v is missing
Vector<double> residual(const EncodeProblem& problem, const Vector<double>& h,
                        const Vector<double>& r) {
  const Vector<double> Wh = problem.W * h;
  Vector<double> e(problem.v.size());
  for (Index i = 0; i < e.size(); ++i) {
    e[i] = std::isnan(problem.v[i]) ? 0 : problem.v[i] - Wh[i] - r[i];
  }
  return e;
}

Residuals verify_blocks(const Vector<double>& x, const Vector<double>& pull,
                        const std::vector<WeightedBlock>& blocks, const Box& box,
                        const Scale& scale) {
  Residuals worst;
  for (const WeightedBlock& block : blocks) {
    const Vector<double> part = x(block.members);
    const Vector<double> part_pull = pull(block.members);
    worst.include(verify_block(part, part_pull, block.penalty, box, scale));
  }
  return worst;
}

}  // namespace

double Residuals::worst() const { return std::max({stationarity, feasibility, complementarity}); }

void Residuals::include(const Residuals& other) {
  stationarity = std::max(stationarity, other.stationarity);
  feasibility = std::max(feasibility, other.feasibility);
  complementarity = std::max(complementarity, other.complementarity);
}

double KktReport::worst() const { return std::max(h.worst(), r.worst()); }

double encode_objective(const EncodeProblem& problem, const Vector<double>& h,
                        const Vector<double>& r) {
  return residual(problem, h, r).squaredNorm() / 2 + penalty_value(h, code_blocks(problem)) +
         penalty_value(r, outlier_blocks(problem));
}

KktReport verify_encode(const EncodeProblem& problem, const Vector<double>& h,
                        const Vector<double>& r) {
  // Cauchy-Schwarz bounds Wᵀe by ‖w‖‖v‖; a step of ‖v‖/‖w‖ in h moves Wh by about v.
  Vector<double> v = problem.v;
  Matrix<double> W = problem.W;
  for (Index i = 0; i < v.size(); ++i) {
    if (std::isnan(v[i])) {
      v[i] = 0;
      W.row(i).setZero();
    }
  }
  const double w_norm = one_if_zero(W.colwise().norm().maxCoeff());
  const double v_norm = one_if_zero(v.norm());
  const double v_largest = one_if_zero(v.cwiseAbs().maxCoeff());
  const Scale code_scale{.gradient = w_norm * v_norm, .point = v_norm / w_norm};
  const Scale outlier_scale{.gradient = v_largest, .point = std::min(v_largest, problem.M)};

  const Vector<double> e = residual(problem, h, r);
  const Box nonnegative{.low = 0};
  const Box outliers{.low = problem.nonneg_outliers ? 0 : -problem.M, .high = problem.M};
  return {.h = verify_blocks(h, W.transpose() * e, code_blocks(problem), nonnegative, code_scale),
          .r = verify_blocks(r, e, outlier_blocks(problem), outliers, outlier_scale)};
}

}  // namespace judge
