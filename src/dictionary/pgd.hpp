// Dictionary update of `opgd` (Zhao, Tan 2017, section IV-A2):
//   W ← P_C(W − (κ/‖A‖_F)(WA − B)) until |Δp|/|p| < tolerance or `iterations`.
// The study's "κ̃/L" there is a slip: the Lipschitz constant of ∇p is taken as ‖A‖_F.
// Cost per iteration: 2FK².
#pragma once

#include "dictionary/problem.hpp"

namespace tamis {

template <class T>
class PgdUpdate {
 public:
  struct Rule {
    double kappa;
    double tolerance;
    Index iterations;
  };

  // Returns the number of iterations.
  Index update(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& W);

 private:
  Matrix<T> WA_;
};

}  // namespace tamis
