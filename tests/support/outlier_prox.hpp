// The library's proximal map of an outlier penalty next to the same problem as the verifier states
// it.
#pragma once

#include <limits>
#include <string>
#include <variant>

#include "support/kkt.hpp"
#include "tamis/fields.hpp"
#include "tamis/regularizer/outlier_penalty.hpp"

namespace judge {

// argmin over r ∈ 𝓡 of ½‖r − q‖² + tφ(r)
struct OutlierProx {
  tamis::OutlierPenalty penalty;
  tamis::Groups groups;
  double t = 1;
  double lambda = 0.5;
  double M = std::numeric_limits<double>::infinity();
  bool nonnegative = false;

  std::string describe() const {
    return std::string(tamis::name_of(penalty)) + ", " + std::to_string(groups.size()) +
           " groups, t " + std::to_string(t) + ", lambda " + std::to_string(lambda) + ", M " +
           std::to_string(M) + (nonnegative ? ", r ≥ 0" : ", signed");
  }

  // By the library, in precision T.
  template <class T>
  tamis::Vector<double> apply(const tamis::Vector<double>& q) const {
    tamis::Vector<T> r = q.cast<T>();
    const auto set = tamis::OutlierSet<T>::make(M, nonnegative);
    std::visit([&](const auto& p) { p.template prox<T>(r, T(t), T(lambda), set, groups); },
               penalty);
    return r.template cast<double>();
  }

  // The same with every number rounded to precision T.
  template <class T>
  OutlierProx rounded() const {
    OutlierProx result = *this;
    result.t = double(T(t));
    result.lambda = double(T(lambda));
    result.M = double(T(M));
    return result;
  }

  // With W = 0 encoding q is the proximal map.
  EncodeProblem problem(const tamis::Vector<double>& q) const {
    EncodeProblem result{.W = tamis::Matrix<double>::Zero(q.size(), 1), .v = q};
    result.lambda = t == 0 ? 0 : t * lambda;
    result.M = M;
    result.nonneg_outliers = nonnegative;
    result.outlier_penalty = penalty;
    result.outlier_groups = groups;
    if (auto* elastic = std::get_if<tamis::ElasticOutliers>(&result.outlier_penalty)) {
      elastic->nu2 *= t;
    }
    return result;
  }

  double objective(const tamis::Vector<double>& q, const tamis::Vector<double>& r) const {
    return encode_objective(problem(q), tamis::Vector<double>::Zero(1), r);
  }
  Residuals verify(const tamis::Vector<double>& q, const tamis::Vector<double>& r) const {
    return verify_encode(problem(q), tamis::Vector<double>::Zero(1), r).r;
  }
};

}  // namespace judge
