// Dictionary update of `oadmm` (Zhao, Tan 2017, section IV-B2), with a copy Q ∈ C of W and its dual
// D:
//   W ← (B − D + ρ₃Q)(A + ρ₃I)⁻¹,  Q ← P_C(W + D/ρ₃),  D ← D + ρ₃(W − Q)
// from Q = W_{t−1}, D = 0 until |Δp(Q)|/|p(Q)| < tolerance or `iterations`. The result is the
// feasible Q. Cost per iteration: 2FK² for the solve and 2FK² for p(Q).
#pragma once

#include "dictionary/problem.hpp"

namespace tamis {

template <class T>
class AdmmUpdate {
 public:
  struct Rule {
    double rho;
    double tolerance;
    Index iterations;
  };

  Index update(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& Q);

  // One step on (W, Q, D), also for the batch algorithm, which keeps all three. `factor` is of A +
  // ρI.
  static void step(const DictionaryProblem<T>& problem, T rho, const Matrix<T>& factor,
                   Matrix<T>& W, Matrix<T>& Q, Matrix<T>& D);
  // True if rounding errors had made A + ρI singular, so that more had to be added.
  static bool factor(const DictionaryProblem<T>& problem, T rho, Matrix<T>& ridge,
                     Matrix<T>& factor);
  bool regularized() const { return regularized_; }  // in the latest update

 private:
  Matrix<T> W_, D_, QA_, ridge_, factor_;
  bool regularized_ = false;
};

}  // namespace tamis
