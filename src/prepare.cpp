#include "prepare.hpp"

#include <fmt/format.h>

#include <cmath>

#include "problem.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

void check_shape(Index rows, Index cols, Index F, Index weights) {
  if (cols == 0) throw DataError("the data have no samples");
  if (rows == 0) throw DataError("the data have no features");
  if (F != 0 && rows != F) {
    throw DataError(fmt::format("the samples have {} features, the model has {}", rows, F));
  }
  if (weights != 0 && weights != cols) {
    throw DataError(fmt::format("there are {} sample weights for {} samples", weights, cols));
  }
}

template <class T>
void check_weights(const Vector<double>& weights, const Batch<T>& batch) {
  for (Index j = 0; j < weights.size(); ++j) {
    if (!(weights[j] >= 0) || std::isinf(weights[j])) {
      throw DataError(
          fmt::format("the weight of sample {} is {}; weights must be finite and not negative",
                      batch.number(j), weights[j]));
    }
  }
}

[[noreturn]] void refuse(double value, Index feature, Index sample) {
  const auto where = fmt::format("feature {} of sample {} is {}", feature, sample, value);
  if (std::isnan(value)) {
    throw DataError(where + "; if NaN marks missing entries, say so with the setting missing");
  }
  if (std::isinf(value)) throw DataError(where + "; data must be finite");
  throw DataError(where + "; data must not be negative unless the setting allow_negative is on");
}

// Copies one sample; returns the largest magnitude.
template <class T>
T copy_checked(ConstVectorRef<T> from, const Settings& settings, Index sample, VectorRef<T> to,
               bool& has_missing) {
  T largest = 0;
  for (Index i = 0; i < from.size(); ++i) {
    const T v = from[i];
    to[i] = v;
    if (std::isnan(v) && settings.missing) {
      has_missing = true;
      continue;
    }
    if (!std::isfinite(v) || (v < 0 && !settings.allow_negative)) refuse(double(v), i, sample);
    largest = std::max(largest, std::abs(v));
  }
  return largest;
}

}  // namespace

template <class T>
void prepare(ConstMatrixRef<T> V, const Vector<double>& weights, const Settings& settings, Index F,
             Batch<T>& batch) {
  check_shape(V.rows(), V.cols(), F, weights.size());
  check_weights(weights, batch);
  const Index n = V.cols();
  batch.V.resize(V.rows(), n);
  batch.scale.resize(n);
  batch.weight.resize(n);
  batch.has_missing = false;
  for (Index j = 0; j < n; ++j) {
    const T largest =
        copy_checked<T>(V.col(j), settings, batch.number(j), batch.V.col(j), batch.has_missing);
    batch.scale[j] = std::visit([&](const auto& rule) { return rule.divisor(largest); },
                                settings.normalize.value());
    if (batch.scale[j] != T(1)) batch.V.col(j) /= batch.scale[j];
    batch.weight[j] = weights.size() == 0 ? 1.0 : weights[j];
  }
}

template <class T>
void to_input_units(const Batch<T>& batch, Matrix<T>& H, Matrix<T>& R) {
  H = batch.H * batch.scale.asDiagonal();
  R.resize(batch.V.rows(), batch.V.cols());
  for (Index j = 0; j < batch.size(); ++j) outliers_of<T>(batch.V.col(j), batch.Y.col(j), R.col(j));
  R = R * batch.scale.asDiagonal();
}

template <class T>
Encoding<T> encoding_of(const Batch<T>& batch) {
  Encoding<T> encoding;
  to_input_units(batch, encoding.H, encoding.R);
  encoding.loss = batch.loss;
  encoding.iterations = batch.iterations;
  encoding.converged = batch.converged;
  return encoding;
}

template Encoding<float> encoding_of(const Batch<float>&);
template Encoding<double> encoding_of(const Batch<double>&);
template void prepare(ConstMatrixRef<float>, const Vector<double>&, const Settings&, Index,
                      Batch<float>&);
template void prepare(ConstMatrixRef<double>, const Vector<double>&, const Settings&, Index,
                      Batch<double>&);
template void to_input_units(const Batch<float>&, Matrix<float>&, Matrix<float>&);
template void to_input_units(const Batch<double>&, Matrix<double>&, Matrix<double>&);

}  // namespace tamis
