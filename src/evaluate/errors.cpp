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
}

double ratio(Index part, Index whole) { return whole == 0 ? 1 : double(part) / double(whole); }

}  // namespace

template <class T>
void ErrorSum::add(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate) {
  require_same_shape<T>(clean, estimate);
  if (samples_ > 0 && clean.rows() != features_)
    throw DataError(
        fmt::format("samples of {} features follow samples of {}", clean.rows(), features_));
  features_ = clean.rows();
  samples_ += clean.cols();
  // In double, because a sum in float over millions of entries loses digits.
  for (Index j = 0; j < clean.cols(); ++j) {
    const auto v = clean.col(j).template cast<double>();
    squared_error_ += (v - estimate.col(j).template cast<double>()).squaredNorm();
    squared_norm_ += v.squaredNorm();
  }
}

void ErrorSum::check_not_empty() const {
  if (samples_ * features_ == 0) throw DataError("empty matrices cannot be compared");
}

double ErrorSum::psnr() const {
  check_not_empty();
  return -10 * std::log10(squared_error_ / double(features_ * samples_));
}

double ErrorSum::relative_error() const {
  check_not_empty();
  return squared_error_ == 0 ? 0 : std::sqrt(squared_error_ / squared_norm_);
}

template <class T>
double psnr(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate) {
  ErrorSum sum;
  sum.add<T>(clean, estimate);
  return sum.psnr();
}

template <class T>
double relative_error(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate) {
  ErrorSum sum;
  sum.add<T>(clean, estimate);
  return sum.relative_error();
}

template <class T>
void OutlierCount::add(ConstMatrixRef<T> truth, ConstMatrixRef<T> R, double threshold) {
  require_same_shape<T>(truth, R);
  const auto reported = R.array().abs() > T(threshold);
  const auto real = truth.array() != T(0);
  const Index both = (reported && real).count();
  hits += both;
  false_alarms += reported.count() - both;
  misses += real.count() - both;
  entries += R.size();
}

OutlierScore OutlierCount::score() const {
  if (entries == 0) throw DataError("empty matrices cannot be compared");
  OutlierScore score;
  score.precision = ratio(hits, hits + false_alarms);
  score.recall = ratio(hits, hits + misses);
  const double sum = score.precision + score.recall;
  score.f = sum > 0 ? 2 * score.precision * score.recall / sum : 0;
  return score;
}

template <class T>
OutlierScore outlier_score(ConstMatrixRef<T> truth, ConstMatrixRef<T> R, double threshold) {
  OutlierCount count;
  count.add<T>(truth, R, threshold);
  return count.score();
}

template void ErrorSum::add(ConstMatrixRef<float>, ConstMatrixRef<float>);
template void ErrorSum::add(ConstMatrixRef<double>, ConstMatrixRef<double>);
template double psnr(ConstMatrixRef<float>, ConstMatrixRef<float>);
template double psnr(ConstMatrixRef<double>, ConstMatrixRef<double>);
template double relative_error(ConstMatrixRef<float>, ConstMatrixRef<float>);
template double relative_error(ConstMatrixRef<double>, ConstMatrixRef<double>);
template void OutlierCount::add(ConstMatrixRef<float>, ConstMatrixRef<float>, double);
template void OutlierCount::add(ConstMatrixRef<double>, ConstMatrixRef<double>, double);
template OutlierScore outlier_score(ConstMatrixRef<float>, ConstMatrixRef<float>, double);
template OutlierScore outlier_score(ConstMatrixRef<double>, ConstMatrixRef<double>, double);

}  // namespace tamis
