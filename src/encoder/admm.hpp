// Encoder of `oadmm`: ADMM with nonnegative copies u of h and bounded copies q of r (Zhao, Tan
// 2017, section IV-B1).
//
// Problem. min over h, r of ½‖v − Wh − r‖² + φ(r) + ψ(u) with h = u ≥ 0, r = q ∈ 𝓡; duals α, β.
//
// Update, per sample, from random h₀ = u₀, r₀ = q₀ and α = β = 0:
//   h ← (WᵀW + ρ₁I)⁻¹(Wᵀ(v − r) + ρ₁u − α)          u ← prox_{ψ/ρ₁}(h + α/ρ₁)    α ← α + ρ₁(h − u)
//   r ← prox_{φ/(1+ρ₂)}((ρ₂q + v − β − Wh)/(1+ρ₂))   q ← P_𝓡(r + β/ρ₂)            β ← β + ρ₂(r − q)
// until |Δℓ̃|/ℓ̃ < tolerance, ℓ̃ at (h, r) as in the study, or `iterations`. Returned are the feasible
// u and q. A missing entry needs no copy: there r = v − Wh.
//
// Cost per iteration and sample: 4FK for Wh and Wᵀ(v − r), 2K² for the solve.
#pragma once

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/outcome.hpp"
#include "encoder/random_start.hpp"
#include "problem.hpp"
#include "tamis/algorithm/oadmm.hpp"

namespace tamis {

template <class T>
class AdmmEncoder {
 public:
  struct Scratch {
    Buffer<T> V, P, Y, R, Q, beta, H, U, alpha, transposed, column;
    std::vector<Index> sample;
    std::vector<double> loss;
  };

  void prepare(const Matrix<T>& W, const Oadmm& settings);

  Outcome encode(const Matrix<T>& W, const Problem<T>& problem, const RandomStart<T>& random,
                 Batch<T>& batch, Index begin, Index end, Scratch& scratch,
                 ResidualHistogram& residuals) const;

  // Whether the atoms were so much alike that rounding errors made the equations singular.
  bool regularized() const { return regularized_; }

 private:
  Oadmm settings_;
  Matrix<T> G_;       // becomes WᵀW + ρ₁I
  Matrix<T> factor_;  // its Cholesky factor
  bool regularized_ = false;
};

// One sample's outliers: r ← prox_{φ/(1+ρ₂)}((ρ₂q + v − β − p)/(1+ρ₂)), then q, β, and y = v − r.
// `r` may be any memory of F entries.
template <class T>
void admm_outliers(const Problem<T>& problem, T rho2, ConstVectorRef<T> v, ConstVectorRef<T> p,
                   VectorRef<T> r, VectorRef<T> q, VectorRef<T> beta, VectorRef<T> y);

}  // namespace tamis
