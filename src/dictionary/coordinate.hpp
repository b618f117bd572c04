// Dictionary update of `fast`: block coordinate descent with exact column steps,
//   w_j ← P_C(w_j + (b_j − W a_j)/A_jj),  j = 1…K, a few sweeps; atoms that no sample used (A_jj ≈
//   0) are left alone.
//
// Where the norm of an atom is only a gauge (C scale-free, no penalty on codes or dictionary), the
// sweep uses P₊ alone and W, A and B are rescaled together to unit columns afterwards: (WD,
// D⁻¹AD⁻¹, BD⁻¹) has the same p. Rows of W are then independent, so panels of rows are swept in
// parallel, several sweeps per pass through memory.
//
// Cost per sweep: 2FK², in matrix products: the steps of a few atoms share one, and correct each
// other by what each has moved.
#pragma once

#include "dictionary/problem.hpp"
#include "parallel.hpp"

namespace tamis {

template <class T>
class CoordinateUpdate {
 public:
  struct Rule {
    Index sweeps;
    double tolerance;  // relative change of W that ends the sweeps; 0: none
  };

  // Sweeps with P_C.
  void update_projected(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& W);
  // Sweeps with P₊, rows in parallel; norms are free.
  void update_free(const Matrix<double>& A, const Matrix<double>& B, const Rule& rule,
                   const Executor& executor, Matrix<T>& W);

 private:
  Matrix<T> A_, D_;
  Vector<T> inverse_, step_;
};

// A_jj so small that no sample can be said to use atom j.
template <class Derived>
bool is_dead(const Eigen::MatrixBase<Derived>& A, Index j) {
  return !(double(A(j, j)) > 1e-12 * double(A.diagonal().maxCoeff()));
}

// W, A and B rescaled together to unit columns of W; columns of zeros stay. `norms` receives what
// the columns were divided by.
template <class T>
void rescale_to_unit_columns(const Executor& executor, Matrix<T>& W, Matrix<double>& A,
                             Matrix<double>& B, Vector<double>& norms);

}  // namespace tamis
