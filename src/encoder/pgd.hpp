// Encoder of `opgd`: projected gradient descent (Zhao, Tan 2017, section IV-A1).
//
// Problem. min over h ≥ 0, r ∈ 𝓡 of ½‖v − Wh − r‖² + φ(r) + ψ(h).
//
// Update, per sample, from random h₀, r₀:
//   h ← prox_{(κ/L)ψ}(h − (κ/L)Wᵀ(Wh + r − v)),  L = ‖W‖₂²
//   r ← prox_φ(v − Wh)                             (S̃_{λ,M} for ℓ1)
// until |Δℓ̃|/ℓ̃ < tolerance or `iterations`.
//
// Cost per iteration and sample: 4FK for Wh and Wᵀ(v − r), 2K² for (WᵀW)h, which replaces Wᵀ(Wh).
#pragma once

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/outcome.hpp"
#include "encoder/random_start.hpp"
#include "kernels/dense.hpp"
#include "problem.hpp"
#include "tamis/algorithm/opgd.hpp"

namespace tamis {

template <class T>
class PgdEncoder {
 public:
  struct Scratch {
    Buffer<T> V, H, P, Y, gradient, transposed, column;
    std::vector<Index> sample;
    std::vector<double> loss;
  };

  void prepare(const Matrix<T>& W, const Opgd& settings);

  Outcome encode(const Matrix<T>& W, const Problem<T>& problem, const RandomStart<T>& random,
                 Batch<T>& batch, Index begin, Index end, Scratch& scratch,
                 ResidualHistogram& residuals) const;

 private:
  Opgd settings_;
  T step_ = 0;   // κ/L
  Matrix<T> G_;  // WᵀW
  SymmetricEigen eigen_;
};

}  // namespace tamis
