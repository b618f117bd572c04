#include "support/reference_encoder.hpp"

#include <algorithm>
#include <cmath>

#include "support/nested_search.hpp"
#include "support/penalty_weights.hpp"

namespace judge {

using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

namespace {

double soft(double q, double t) { return std::copysign(std::max(0.0, std::abs(q) - t), q); }

// Entrywise minimiser with the group norm replaced by the square `curvature`/2‖x‖².
Vector<double> entrywise(const Vector<double>& q, double l1, double curvature, const Box& box) {
  return q.unaryExpr(
      [&](double x) { return std::clamp(soft(x, l1) / (1 + curvature), box.low, box.high); });
}

// The data with missing entries removed from v and W, and x = (h, r) as one vector.
struct Stacked {
  Matrix<double> W;
  Vector<double> v;
  std::vector<WeightedBlock> codes;
  std::vector<WeightedBlock> outliers;
  Box outlier_box;

  explicit Stacked(const EncodeProblem& problem)
      : W(problem.W),
        v(problem.v),
        codes(code_blocks(problem)),
        outliers(outlier_blocks(problem)),
        outlier_box{problem.nonneg_outliers ? 0 : -problem.M, problem.M} {
    for (Index i = 0; i < v.size(); ++i) {
      if (!std::isnan(v[i])) continue;
      v[i] = 0;
      W.row(i).setZero();
    }
  }

  Vector<double> gradient(const Vector<double>& x) const {
    const Vector<double> e = v - W * x.head(W.cols()) - x.tail(v.size());
    Vector<double> g(x.size());
    g << -W.transpose() * e, -e;
    return g;
  }

  static void prox_blocks(Eigen::Ref<Vector<double>> x, double step,
                          const std::vector<WeightedBlock>& blocks, const Box& box) {
    for (const WeightedBlock& block : blocks) {
      const Vector<double> q = x(block.members);
      x(block.members) = reference_prox(q, step, block.penalty, box);
    }
  }

  void prox(Vector<double>& x, double step) const {
    prox_blocks(x.head(W.cols()), step, codes, {.low = 0});
    prox_blocks(x.tail(v.size()), step, outliers, outlier_box);
  }
};

}  // namespace

Vector<double> reference_prox(const Vector<double>& q, double step, const BlockPenalty& penalty,
                              const Box& box) {
  const double l1 = penalty.l1 == 0 ? 0 : step * penalty.l1;
  const double c = penalty.group == 0 ? 0 : step * penalty.group;
  const double quadratic = step * penalty.quadratic;
  if (c == 0 || q.size() == 0) return entrywise(q, l1, quadratic, box);
  if (!std::isfinite(c)) return Vector<double>::Zero(q.size());

  const auto x_of = [&](double n) { return entrywise(q, l1, quadratic + c / n, box); };
  const auto objective = [&](const Vector<double>& n) {
    if (n[0] == 0) return q.squaredNorm() / 2;
    const Vector<double> x = x_of(n[0]);
    const double squares = x.squaredNorm();
    return (x - q).squaredNorm() / 2 + (l1 == 0 ? 0 : l1 * x.lpNorm<1>()) +
           quadratic / 2 * squares + c / 2 * (squares / n[0] + n[0]);
  };
  const auto range = [&](const Vector<double>&, Index) { return SearchRange{0, q.norm()}; };
  const double n = NestedSearch(1, range, objective).minimize()[0];
  return n == 0 ? Vector<double>::Zero(q.size()) : x_of(n);
}

Code reference_encode(const EncodeProblem& problem, int iterations) {
  const Stacked data(problem);
  const Index K = data.W.cols();
  // ‖[W I]‖₂² ≤ ‖W‖_F² + 1
  const double step = 1 / (data.W.squaredNorm() + 1);
  Vector<double> x = Vector<double>::Zero(K + data.v.size());
  Vector<double> y = x;
  double momentum = 1;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const Vector<double> previous = x;
    x = y - step * data.gradient(y);
    data.prox(x, step);
    const bool overshot = (y - x).dot(x - previous) > 0;
    const double next = overshot ? 1 : (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    y = overshot ? x : Vector<double>(x + (momentum - 1) / next * (x - previous));
    momentum = next;
  }
  Code code{x.head(K), x.tail(data.v.size())};
  for (Index i = 0; i < data.v.size(); ++i) {
    if (std::isnan(problem.v[i])) code.r[i] = 0;
  }
  return code;
}

}  // namespace judge
