// min over W ∈ C of p(W) = ½tr(WᵀWA) − tr(WᵀB) + λ₁‖W‖₁,₁ + λ₂/2‖W‖_F²   (Zhao, Tan 2017, eq.
// (min_W_tr), section VI-B)
//
// The penalty joins the statistics for the update only: λ₂ in A + λ₂I and, where W ≥ 0 makes ‖W‖₁,₁
// linear, λ₁ in B − λ₁. For atoms of any sign the ℓ1 part stays outside and becomes a soft
// threshold.
#pragma once

#include "tamis/constraint/constraint.hpp"
#include "tamis/regularizer/dictionary_penalty.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct DictionaryProblem {
  Matrix<T> A;  // A + λ₂I
  Matrix<T> B;  // B − λ₁, or B
  T l1 = 0;     // λ₁ if it is not in B
  Constraint constraint;

  // Copies the statistics; matrices keep their memory from one call to the next.
  void set(const Matrix<double>& A_mean, const Matrix<double>& B_mean, const Constraint& C,
           const DictionaryPenalty& penalty);

  // One column: w ← argmin over C of ½‖x − w‖² + t·l1‖x‖₁
  void prox(VectorRef<T> w, T t) const;
  // All columns
  void prox(Matrix<T>& W, T t) const;

  // p(W), given WA
  double objective(const Matrix<T>& W, const Matrix<T>& WA) const;
};

}  // namespace tamis
