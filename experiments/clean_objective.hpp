// f̂_t(W) = mean over i ≤ t of ½‖v°_i − Wh_i‖² (section VII-D of the study): how well the clean data
// are reconstructed with the codes found on arrival. From A = mean hhᵀ, B° = mean v°hᵀ and c° =
// mean ½‖v°‖², as f̂ = ½tr(WᵀWA) − tr(WᵀB°) + c°: no history is kept.
#pragma once

#include "tamis/types.hpp"

namespace tamis::experiments {

class CleanObjective {
 public:
  void add(const ConstMatrixRef<float>& clean, const ConstMatrixRef<float>& H);
  // 0 before anything was added
  double value(const Matrix<float>& W) const;

 private:
  Index n_ = 0;
  // sums, not means
  Matrix<double> A_;
  Matrix<double> B_;
  double c_ = 0;
};

}  // namespace tamis::experiments
