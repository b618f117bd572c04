// Projected gradient encoding with and without Nesterov's acceleration (remark 2 of the study).
//
//   h⁺ = P₊(y − (κ/L)Wᵀ(Wy + r − v)),  r⁺ = S̃_{λ,M}(v − Wh⁺)
//   plain: y = h;  accelerated: y = h + ((t − 1)/t⁺)(h − h₋), t⁺ = (1 + √(1 + 4t²))/2   (FISTA)
//
// Both are written here, plainly and in the same way, so that their times can be compared.
#pragma once

#include <vector>

#include "common.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

struct EncodeProblem {
  const Matrix<float>& W;
  const Matrix<float>& V;
  float lambda;
  float max_outlier;
  float kappa;
};

struct EncodeCurve {
  std::vector<double> loss;     // mean ℓ̃ after each iteration, the first entry before any
  std::vector<double> seconds;  // since the beginning, the losses not counted
  // By the study's rule, |Δℓ̃|/ℓ̃ < 10⁻³ or 50 iterations, per sample:
  double stopped_iterations = 0;  // mean over the samples
  double stopped_loss = 0;        // mean of their losses then
};

// From h₀ uniform on [0, 1], r₀ = S̃(v − Wh₀)
EncodeCurve encode_pgd(const EncodeProblem& problem, bool accelerated, Index iterations,
                       std::uint64_t seed);

}  // namespace tamis::experiments
