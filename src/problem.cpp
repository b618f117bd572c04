#include "problem.hpp"

#include <cmath>

#include "kernels/clean.hpp"

namespace tamis {
namespace {

// y ← v − prox_φ(v − p) for a penalty that looks at a whole column
template <class T, class Penalty>
void clean_column(const Penalty& penalty, const Problem<T>& problem, ConstVectorRef<T> v,
                  ConstVectorRef<T> p, VectorRef<T> y) {
  y = v - p;
  penalty.template prox<T>(y, T(1), T(problem.lambda), problem.outlier_set, problem.outlier_groups);
  for (Index i = 0; i < v.size(); ++i) y[i] = std::isnan(v[i]) ? p[i] : v[i] - y[i];
}

template <class T>
void clean_entrywise(const Problem<T>& problem, const ConstMatrixRef<T>& V,
                     const ConstMatrixRef<T>& P, MatrixRef<T>& Y) {
  const kernels::Shrinkage<T> shrinkage = problem.shrinkage();
  for (Index j = 0; j < V.cols(); ++j) {
    kernels::clean(V.col(j).data(), P.col(j).data(), Y.col(j).data(), V.rows(), shrinkage);
  }
}

}  // namespace

template <class T>
Problem<T>::Problem(const Settings& settings, double lambda_now)
    : outlier_penalty(settings.outlier_penalty),
      outlier_groups(settings.outlier_groups),
      code_penalty(settings.code_penalty),
      code_groups(settings.code_groups),
      outlier_set(OutlierSet<T>::make(settings.max_outlier.value(), settings.nonneg_outliers)),
      lambda(lambda_now) {}

template <class T>
bool Problem<T>::entrywise() const {
  return std::visit([](const auto& penalty) { return penalty.entrywise; }, outlier_penalty);
}

template <class T>
double Problem<T>::quadratic() const {
  return std::visit(
      [](const auto& penalty) {
        if constexpr (std::decay_t<decltype(penalty)>::entrywise) return penalty.quadratic();
        return 0.0;
      },
      outlier_penalty);
}

template <class T>
kernels::Shrinkage<T> Problem<T>::shrinkage() const {
  return {T(lambda), T(1 / (1 + quadratic())), outlier_set.low, outlier_set.high};
}

template <class T>
bool Problem<T>::penalises_codes() const {
  return std::visit([](const auto& penalty) { return penalty.active(); }, code_penalty);
}

template <class T>
void Problem<T>::clean(ConstMatrixRef<T> V, ConstMatrixRef<T> P, MatrixRef<T> Y) const {
  std::visit(
      [&](const auto& penalty) {
        if constexpr (std::decay_t<decltype(penalty)>::entrywise) {
          clean_entrywise<T>(*this, V, P, Y);
        } else {
          for (Index j = 0; j < V.cols(); ++j)
            clean_column<T>(penalty, *this, V.col(j), P.col(j), Y.col(j));
        }
      },
      outlier_penalty);
}

template <class T>
void Problem<T>::prox_outliers_unbounded(MatrixRef<T> X, T t) const {
  std::visit(
      [&](const auto& penalty) {
        for (Index j = 0; j < X.cols(); ++j) {
          penalty.template prox<T>(X.col(j), t, T(lambda), OutlierSet<T>::everything(),
                                   outlier_groups);
        }
      },
      outlier_penalty);
}

template <class T>
void Problem<T>::prox_codes(MatrixRef<T> H, T t) const {
  std::visit(
      [&](const auto& penalty) {
        for (Index j = 0; j < H.cols(); ++j) penalty.template prox<T>(H.col(j), t, code_groups);
      },
      code_penalty);
}

template <class T>
typename Problem<T>::Loss Problem<T>::loss(ConstVectorRef<T> v, ConstVectorRef<T> p,
                                           ConstVectorRef<T> y, ConstVectorRef<T> h,
                                           VectorRef<T> scratch) const {
  const kernels::Sums sums = kernels::measure(v.data(), p.data(), y.data(), v.size());
  if (entrywise()) return loss(sums, h);
  outliers_of<T>(v, y, scratch);
  const double phi = std::visit(
      [&](const auto& penalty) {
        return penalty.template value<T>(scratch, lambda, outlier_groups);
      },
      outlier_penalty);
  const double psi = std::visit(
      [&](const auto& penalty) { return penalty.template value<T>(h, code_groups); }, code_penalty);
  return {sums.fit / 2, phi + psi, sums.energy / 2};
}

template <class T>
typename Problem<T>::Loss Problem<T>::loss(const kernels::Sums& sums, ConstVectorRef<T> h) const {
  const double phi = weighted(lambda, sums.magnitudes) + quadratic() / 2 * sums.squares;
  const double psi = std::visit(
      [&](const auto& penalty) { return penalty.template value<T>(h, code_groups); }, code_penalty);
  return {sums.fit / 2, phi + psi, sums.energy / 2};
}

template struct Problem<float>;
template struct Problem<double>;

}  // namespace tamis
