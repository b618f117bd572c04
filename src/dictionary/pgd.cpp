#include "dictionary/pgd.hpp"

#include <cmath>
#include <utility>

#include "kernels/blas.hpp"
#include "settled.hpp"

namespace tamis {

template <class T>
Index PgdUpdate<T>::update(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& W) {
  T L = problem.A.norm();
  if (!std::isnormal(L)) L = problem.A.stableNorm();  // squares of A may not be
  if (!(L > 0)) return 0;                             // no sample has used any atom
  const T step = T(rule.kappa) / L;
  WA_.resize(W.rows(), W.cols());
  blas::gemm('N', 'N', T(1), W, problem.A, T(0), WA_);
  double p = problem.objective(W, WA_);
  for (Index k = 1; k <= rule.iterations; ++k) {
    // W ← P_C(W − (κ/‖A‖_F)(WA − B))
    W -= step * (WA_ - problem.B);
    problem.prox(W, step);
    blas::gemm('N', 'N', T(1), W, problem.A, T(0), WA_);
    const double before = std::exchange(p, problem.objective(W, WA_));
    if (settled(p, before, rule.tolerance)) return k;
  }
  return rule.iterations;
}

template class PgdUpdate<float>;
template class PgdUpdate<double>;

}  // namespace tamis
