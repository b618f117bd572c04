#include <fmt/format.h>

#include <cmath>

#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"

namespace tamis {
namespace {

template <class T>
void require_same_shape(ConstMatrixRef<T> X, ConstMatrixRef<T> Y) {
  if (X.rows() != Y.rows() || X.cols() != Y.cols())
    throw DataError(fmt::format("a {}×{} and a {}×{} matrix cannot be compared", X.rows(), X.cols(),
                                Y.rows(), Y.cols()));
  if (X.size() == 0) throw DataError("empty matrices cannot be compared");
}

template <class T>
double squared_distance(ConstMatrixRef<T> X, ConstMatrixRef<T> Y) {
  require_same_shape<T>(X, Y);
  // In double, because a sum in float over millions of entries loses digits.
  double sum = 0;
  for (Index j = 0; j < X.cols(); ++j)
    sum += (X.col(j).template cast<double>() - Y.col(j).template cast<double>()).squaredNorm();
  return sum;
}

double ratio(Index part, Index whole) { return whole == 0 ? 1 : double(part) / double(whole); }

}  // namespace

template <class T>
double psnr(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate) {
  return -10 * std::log10(squared_distance<T>(clean, estimate) / double(clean.size()));
}

template <class T>
double relative_error(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate) {
  const double error = squared_distance<T>(clean, estimate);
  return std::sqrt(error / squared_distance<T>(clean, Matrix<T>::Zero(clean.rows(), clean.cols())));
}

template <class T>
OutlierScore outlier_score(ConstMatrixRef<T> truth, ConstMatrixRef<T> R, double threshold) {
  require_same_shape<T>(truth, R);
  const auto reported = R.array().abs() > T(threshold);
  const auto real = truth.array() != T(0);
  const Index hits = (reported && real).count();
  OutlierScore score;
  score.precision = ratio(hits, reported.count());
  score.recall = ratio(hits, real.count());
  const double sum = score.precision + score.recall;
  score.f = sum > 0 ? 2 * score.precision * score.recall / sum : 0;
  return score;
}

template double psnr(ConstMatrixRef<float>, ConstMatrixRef<float>);
template double psnr(ConstMatrixRef<double>, ConstMatrixRef<double>);
template double relative_error(ConstMatrixRef<float>, ConstMatrixRef<float>);
template double relative_error(ConstMatrixRef<double>, ConstMatrixRef<double>);
template OutlierScore outlier_score(ConstMatrixRef<float>, ConstMatrixRef<float>, double);
template OutlierScore outlier_score(ConstMatrixRef<double>, ConstMatrixRef<double>, double);

}  // namespace tamis
