#include "dictionary/admm.hpp"

#include <utility>

#include "kernels/blas.hpp"
#include "kernels/dense.hpp"
#include "settled.hpp"

namespace tamis {

template <class T>
bool AdmmUpdate<T>::factor(const DictionaryProblem<T>& problem, T rho, Matrix<T>& ridge,
                           Matrix<T>& factor) {
  ridge = problem.A;
  ridge.diagonal().array() += rho;
  return safe_cholesky(ridge, factor);
}

template <class T>
void AdmmUpdate<T>::step(const DictionaryProblem<T>& problem, T rho, const Matrix<T>& factor,
                         Matrix<T>& W, Matrix<T>& Q, Matrix<T>& D) {
  // W ← (B − D + ρQ)(A + ρI)⁻¹
  W = problem.B - D + rho * Q;
  blas::solve_right(factor, W);
  // Q ← P_C(W + D/ρ)
  Q = W + D / rho;
  problem.prox(Q, 1 / rho);
  // D ← D + ρ(W − Q)
  D += rho * (W - Q);
}

template <class T>
Index AdmmUpdate<T>::update(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& Q) {
  const T rho = T(rule.rho);
  regularized_ = factor(problem, rho, ridge_, factor_);
  D_.setZero(Q.rows(), Q.cols());
  QA_.resize(Q.rows(), Q.cols());
  const auto objective = [&] {
    blas::gemm('N', 'N', T(1), Q, problem.A, T(0), QA_);
    return problem.objective(Q, QA_);
  };
  double p = objective();
  for (Index k = 1; k <= rule.iterations; ++k) {
    step(problem, rho, factor_, W_, Q, D_);
    const double before = std::exchange(p, objective());
    if (settled(p, before, rule.tolerance)) return k;
  }
  return rule.iterations;
}

template class AdmmUpdate<float>;
template class AdmmUpdate<double>;

}  // namespace tamis
