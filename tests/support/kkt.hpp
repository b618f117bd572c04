// The judge of the solvers: optimality of a point, from the formulas of the problem alone.
//
// Nothing here calls the library's projections, proximal maps or penalty values; only the matrix
// types and the structs that say which problem is meant are shared. Both problems are convex, so a
// point that passes is a global minimiser.
#pragma once

#include <limits>

#include "tamis/constraint/constraint.hpp"
#include "tamis/regularizer/code_penalty.hpp"
#include "tamis/regularizer/dictionary_penalty.hpp"
#include "tamis/regularizer/outlier_penalty.hpp"
#include "tamis/types.hpp"

namespace judge {

// Residuals of the optimality conditions, in the max norm and without units (see the scales in the
// .cpp files).
//
// stationarity     distance of the negative gradient to subdifferential + normal cone, taken at the
// face
//                  (bound, kink, zero group, sphere) that explains the point best
// feasibility      how far the point is outside of its set
// complementarity  how far the point is from that face
struct Residuals {
  double stationarity = 0;
  double feasibility = 0;
  double complementarity = 0;

  double worst() const;
  void include(const Residuals& other);  // entrywise maximum
};

// minimise ½‖v − Wh − r‖² + φ(r) + ψ(h) over h ≥ 0 and r ∈ 𝓡, over the observed entries of v.
struct EncodeProblem {
  tamis::Matrix<double> W;
  tamis::Vector<double> v;  // NaN marks a missing entry
  double lambda = 0.1;      // ∞: no outliers
  double M = std::numeric_limits<double>::infinity();
  bool nonneg_outliers = false;
  tamis::CodePenalty code_penalty = tamis::NoCodePenalty{};
  tamis::Groups code_groups = {};
  tamis::OutlierPenalty outlier_penalty = tamis::L1{};
  tamis::Groups outlier_groups = {};
};

struct KktReport {
  Residuals h;
  Residuals r;

  double worst() const;
};

// Entries of r where v is missing are ignored.
double encode_objective(const EncodeProblem& problem, const tamis::Vector<double>& h,
                        const tamis::Vector<double>& r);
KktReport verify_encode(const EncodeProblem& problem, const tamis::Vector<double>& h,
                        const tamis::Vector<double>& r);

// ½tr(WᵀWA) − tr(WᵀB) + λ₁‖W‖₁,₁ + λ₂/2‖W‖_F²
double dictionary_objective(const tamis::Matrix<double>& W, const tamis::Matrix<double>& A,
                            const tamis::Matrix<double>& B,
                            const tamis::DictionaryPenalty& penalty);
// The same minimised over columns in C.
Residuals verify_dictionary(const tamis::Matrix<double>& W, const tamis::Matrix<double>& A,
                            const tamis::Matrix<double>& B, const tamis::Constraint& constraint,
                            const tamis::DictionaryPenalty& penalty);

}  // namespace judge
