#include "prepare.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/range.hpp"
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

template <class T>
void set_weights(const Vector<double>& weights, Batch<T>& batch) {
  if (weights.size() == 0) {
    batch.weight.setOnes(batch.size());
  } else {
    batch.weight = weights;
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

// Returns the largest magnitude of one sample.
template <class T>
T check_sample(ConstVectorRef<T> v, const Settings& settings, Index sample, bool& has_missing) {
  const kernels::Range<T> range = kernels::range(v.data(), v.size());
  if (range.finite && (range.smallest >= 0 || settings.allow_negative))
    return std::max(range.largest, -range.smallest);
  T largest = 0;
  for (Index i = 0; i < v.size(); ++i) {
    if (std::isnan(v[i]) && settings.missing) {
      has_missing = true;
      continue;
    }
    if (!std::isfinite(v[i]) || (v[i] < 0 && !settings.allow_negative))
      refuse(double(v[i]), i, sample);
    largest = std::max(largest, std::abs(v[i]));
  }
  return largest;
}

}  // namespace

template <class T>
void prepare(ConstMatrixRef<T> V, const Vector<double>& weights, const Settings& settings, Index F,
             Batch<T>& batch) {
  check_shape(V.rows(), V.cols(), F, weights.size());
  check_weights(weights, batch);
  batch.set_samples(V);
  batch.scale.resize(V.cols());
  batch.has_missing = false;
  for (Index j = 0; j < V.cols(); ++j) {
    const T largest = check_sample<T>(V.col(j), settings, batch.number(j), batch.has_missing);
    batch.scale[j] = std::visit([&](const auto& rule) { return rule.divisor(largest); },
                                settings.normalize.value());
  }
  set_weights(weights, batch);
  if ((batch.scale.array() == T(1)).all()) return;
  Matrix<T>& scaled = batch.own_samples(V.rows(), V.cols());
  for (Index j = 0; j < V.cols(); ++j) scaled.col(j) = V.col(j) / batch.scale[j];
}

template <class T>
void prepare(const Matrix<std::uint8_t>& bytes, double unit, const Vector<double>& weights, Index F,
             Batch<T>& batch) {
  check_shape(bytes.rows(), bytes.cols(), F, weights.size());
  check_weights(weights, batch);
  batch.set_samples(bytes, unit);
  batch.scale.setOnes(bytes.cols());
  batch.has_missing = false;
  set_weights(weights, batch);
}

template <class T>
void to_input_units(const Batch<T>& batch, Matrix<T>& H, Matrix<T>& R) {
  H = batch.H * batch.scale.asDiagonal();
  R.resize(batch.features(), batch.size());
  for (Index j = 0; j < batch.size(); ++j) {
    for (Index i = 0; i < R.rows(); ++i) {
      const T v = batch.value(i, j);
      R(i, j) = std::isnan(v) ? T(0) : (v - batch.Y(i, j)) * batch.scale[j];
    }
  }
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
template void prepare(const Matrix<std::uint8_t>&, double, const Vector<double>&, Index,
                      Batch<float>&);
template void prepare(const Matrix<std::uint8_t>&, double, const Vector<double>&, Index,
                      Batch<double>&);
template void to_input_units(const Batch<float>&, Matrix<float>&, Matrix<float>&);
template void to_input_units(const Batch<double>&, Matrix<double>&, Matrix<double>&);

}  // namespace tamis
