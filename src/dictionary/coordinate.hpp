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
class Rescaling;

template <class T>
class CoordinateUpdate {
 public:
  struct Rule {
    Index sweeps;
    double tolerance;  // relative change of W that ends the sweeps; 0: none
  };

  // Sweeps with P_C.
  void update_projected(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& W);
  // Sweeps that scale every atom to unit norm.
  void update_normalised(const DictionaryProblem<T>& problem, const Rule& rule, Matrix<T>& W);
  // Sweeps that keep entries at `least` or above, rows in parallel; norms are free. P₊ for 0. What
  // is to be rescaled afterwards is measured while it is in the cache.
  void update_free(const Matrix<double>& A, const Matrix<double>& B, const Rule& rule, T least,
                   const Executor& executor, Matrix<T>& W, Rescaling<T>* rescaling = nullptr);

 private:
  // project(w, 1/A_jj) is what follows a step of an atom.
  template <class Project>
  void sweep_columns(const DictionaryProblem<T>& problem, const Rule& rule, const Project& project,
                     Matrix<T>& W);

  Matrix<T> A_, D_;
  Vector<T> inverse_, step_;
};

// Below this A_jj no sample can be said to use atom j.
template <class Derived>
double least_use(const Eigen::MatrixBase<Derived>& A) {
  return 1e-12 * double(A.diagonal().maxCoeff());
}
template <class Derived>
bool is_dead(const Eigen::MatrixBase<Derived>& A, Index j) {
  return !(double(A(j, j)) > least_use(A));
}

// W, A and B rescaled together to unit columns of W; columns of zeros stay. All blocks of rows have
// to be measured before.
template <class T>
class Rescaling {
 public:
  void expect(Index F, Index K);
  void measure(const Matrix<T>& W, Index begin, Index rows);
  void to_unit_columns(const Executor& executor, Matrix<T>& W, Matrix<double>& A,
                       Matrix<double>& B);
  // What the columns were divided by
  const Vector<double>& norms() const { return norms_; }

 private:
  Index block_ = 0;         // rows per block
  Matrix<double> squares_;  // per atom and block of rows
  Vector<double> norms_;
};

}  // namespace tamis
