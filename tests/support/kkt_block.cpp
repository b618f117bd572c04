#include "support/kkt_block.hpp"

#include <algorithm>
#include <cmath>

namespace judge {

using tamis::Index;
using tamis::Vector;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double distance_to_interval(double x, double low, double high) {
  return std::max({0.0, low - x, x - high});
}

// l1·∂|·| + the box's normal cone at 0 is [low_end, l1]: a bound at 0 opens it towards −∞.
double low_end_at_zero(double l1, const Box& box) { return box.low == 0 ? -infinity : -l1; }

// One entry against l1·∂|x| + N_box(x). An entry can be explained as lying between the kinks, at
// the kink 0 or at a bound; a face other than the one it lies on costs its distance from there.
Residuals verify_entry(double x, double pull, double l1, const Box& box, const Scale& scale) {
  const auto face = [&](double at, double low, double high) {
    return Residuals{.stationarity = distance_to_interval(pull, low, high) / scale.gradient,
                     .complementarity = std::abs(x - at) / scale.point};
  };
  Residuals best = face(0, low_end_at_zero(l1, box), l1);
  if (x > 0) best = better_of(best, face(x, l1, l1));
  if (x < 0) best = better_of(best, face(x, -l1, -l1));
  if (std::isfinite(box.high)) best = better_of(best, face(box.high, l1, infinity));
  if (std::isfinite(box.low) && box.low < 0) best = better_of(best, face(box.low, -infinity, -l1));
  return best;
}

// Away from 0 the group norm is smooth, with gradient group·x/‖x‖, and the rest is entrywise.
Residuals verify_entries(const Vector<double>& x, const Vector<double>& pull,
                         const BlockPenalty& penalty, const Box& box, const Scale& scale) {
  const double norm = x.norm();
  const double slope = penalty.quadratic + (penalty.group > 0 ? penalty.group / norm : 0);
  Residuals worst;
  for (Index i = 0; i < x.size(); ++i) {
    worst.include(verify_entry(x[i], pull[i] - slope * x[i], penalty.l1, box, scale));
  }
  return worst;
}

// At x = 0 the subdifferential is the sum of the entrywise intervals and a ball of radius `group`,
// so the distance to it is that of the part of pull outside of the intervals to the ball.
Residuals verify_zero_block(const Vector<double>& x, const Vector<double>& pull,
                            const BlockPenalty& penalty, const Box& box, const Scale& scale) {
  double squares = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double outside =
        distance_to_interval(pull[i], low_end_at_zero(penalty.l1, box), penalty.l1);
    squares += outside * outside;
  }
  return {.stationarity = std::max(0.0, std::sqrt(squares) - penalty.group) / scale.gradient,
          .complementarity = x.cwiseAbs().maxCoeff() / scale.point};
}

double violation(const Vector<double>& x, const Box& box) {
  return std::max({0.0, box.low - x.minCoeff(), x.maxCoeff() - box.high});
}

}  // namespace

Residuals better_of(const Residuals& a, const Residuals& b) {
  const auto cost = [](const Residuals& r) { return std::max(r.stationarity, r.complementarity); };
  return cost(a) <= cost(b) ? a : b;
}

Residuals verify_block(const Vector<double>& x, const Vector<double>& pull,
                       const BlockPenalty& penalty, const Box& box, const Scale& scale) {
  if (x.size() == 0) return {};
  if (!x.allFinite() || !pull.allFinite()) return {infinity, infinity, infinity};

  const bool kink_at_zero = penalty.group > 0;
  const bool smooth_here = !kink_at_zero || (x.norm() > 0 && std::isfinite(penalty.group));
  Residuals result{infinity, 0, infinity};
  if (smooth_here) result = verify_entries(x, pull, penalty, box, scale);
  if (kink_at_zero) result = better_of(result, verify_zero_block(x, pull, penalty, box, scale));
  result.feasibility = violation(x, box) / scale.point;
  return result;
}

}  // namespace judge
