#include "dictionary/problem.hpp"

#include "tamis/regularizer/outlier_set.hpp"

namespace tamis {

template <class T>
void DictionaryProblem<T>::set(const Matrix<double>& A_mean, const Matrix<double>& B_mean,
                               const Constraint& C, const DictionaryPenalty& penalty) {
  constraint = C;
  A = A_mean.template cast<T>();
  A.diagonal().array() += T(penalty.l2);
  const bool nonnegative = std::visit([](const auto& c) { return c.nonnegative; }, C);
  B = (B_mean.array() - (nonnegative ? penalty.l1 : 0)).template cast<T>();
  l1 = nonnegative ? T(0) : T(penalty.l1);
}

template <class T>
void DictionaryProblem<T>::prox(VectorRef<T> w, T t) const {
  if (l1 > 0) {
    for (Index i = 0; i < w.size(); ++i) w[i] = soft_threshold(w[i], t * l1);
  }
  std::visit([&](const auto& c) { c.template project<T>(w); }, constraint);
}

template <class T>
void DictionaryProblem<T>::prox(Matrix<T>& W, T t) const {
  for (Index j = 0; j < W.cols(); ++j) prox(W.col(j), t);
}

template <class T>
double DictionaryProblem<T>::objective(const Matrix<T>& W, const Matrix<T>& WA) const {
  double sum = 0;
  for (Index j = 0; j < W.cols(); ++j) {
    for (Index i = 0; i < W.rows(); ++i) {
      const auto w = double(W(i, j));
      sum += w * (double(WA(i, j)) / 2 - double(B(i, j))) + double(l1) * std::abs(w);
    }
  }
  return sum;
}

template struct DictionaryProblem<float>;
template struct DictionaryProblem<double>;

}  // namespace tamis
