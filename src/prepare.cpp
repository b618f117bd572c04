#include "prepare.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <string_view>

#include "kernels/range.hpp"
#include "precision.hpp"
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

[[noreturn]] void refuse(const Settings& settings, double value, bool single, Index feature,
                         Index sample) {
  const auto where = fmt::format("feature {} of sample {} is {}", feature, sample, value);
  const AlgorithmScope scope =
      std::visit([](const auto& a) { return a.scope; }, settings.algorithm);
  if (std::isnan(value) && !scope.missing) {
    throw DataError(fmt::format("{}; {} needs every entry: fill the missing ones, or use fast",
                                where, name_of(settings.algorithm)));
  }
  if (std::isnan(value)) {
    throw DataError(where + "; if NaN marks missing entries, say so with the setting missing");
  }
  if (std::isinf(value)) {
    throw DataError(where + (single ? ", or too large for single precision (the setting precision "
                                      "can be double); data must be finite"
                                    : "; data must be finite"));
  }
  throw DataError(where + "; data must not be negative unless the setting allow_negative is on");
}

// What is wrong with a sample, if anything is
template <class T>
void check_sample(ConstVectorRef<T> v, const Settings& settings, Index sample) {
  for (Index i = 0; i < v.size(); ++i) {
    if (std::isnan(v[i]) && settings.missing) continue;
    if (!std::isfinite(v[i]) || (v[i] < 0 && !settings.allow_negative))
      refuse(settings, double(v[i]), is_single<T>, i, sample);
  }
}

template <class T>
T largest_observed(ConstVectorRef<T> v) {
  T largest = 0;
  for (Index i = 0; i < v.size(); ++i)
    if (std::isfinite(v[i])) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

template <class T>
constexpr std::string_view precision = is_single<T> ? "single" : "double";

// Not 0, but so small that its square is, or has lost digits
template <class T>
bool vanishes(T largest) {
  return largest > 0 && largest < std::sqrt(least_square<T>);
}

template <class T>
T divisor(const Settings& settings, T largest) {
  return std::visit([&](const auto& rule) { return rule.divisor(largest); },
                    settings.normalize.value());
}

// Finds what to divide one sample by; false if something in it needs a closer look.
template <class T>
bool prepare_sample(const Settings& settings, Index j, Batch<T>& batch) {
  const auto v = batch.V.col(j);
  const kernels::Range<T> range = kernels::range(v.data(), v.size());
  const T largest =
      range.finite ? std::max(range.largest, -range.smallest) : largest_observed<T>(v);
  batch.largest[j] = largest;
  batch.scale[j] = divisor(settings, largest);
  return range.finite && (range.smallest >= 0 || settings.allow_negative);
}

}  // namespace

template <class T>
void prepare(ConstMatrixRef<T> V, const Vector<double>& weights, const Settings& settings, Index F,
             const Executor& executor, Batch<T>& batch, const Vector<T>& largest) {
  check_shape(V.rows(), V.cols(), F, weights.size());
  check_weights(weights, batch);
  batch.set_samples(V);
  batch.scale.resize(V.cols());
  batch.largest.resize(V.cols());
  std::atomic<bool> suspicious = false;
  const Index block = column_block(V.cols());
  if (largest.size() == V.cols()) {
    batch.largest = largest;
    for (Index j = 0; j < V.cols(); ++j) batch.scale[j] = divisor(settings, largest[j]);
  } else {
    executor.for_each_block(V.cols(), block, [&](Index begin, Index end, int) {
      for (Index j = begin; j < end; ++j)
        if (!prepare_sample(settings, j, batch)) suspicious = true;
    });
  }
  batch.has_missing = suspicious && settings.missing && V.hasNaN();
  if (suspicious) {
    for (Index j = 0; j < V.cols(); ++j) check_sample<T>(V.col(j), settings, batch.number(j));
  }
  set_weights(weights, batch);
  if ((batch.scale.array() == T(1)).all()) return;
  Matrix<T>& scaled = batch.own_samples(V.rows(), V.cols());
  executor.for_each_block(V.cols(), block, [&](Index begin, Index end, int) {
    for (Index j = begin; j < end; ++j) scaled.col(j) = V.col(j) / batch.scale[j];
  });
}

template <class T>
void prepare(const Matrix<std::uint8_t>& bytes, double unit, const Vector<double>& weights, Index F,
             Batch<T>& batch) {
  check_shape(bytes.rows(), bytes.cols(), F, weights.size());
  check_weights(weights, batch);
  batch.set_samples(bytes, unit);
  batch.scale.setOnes(bytes.cols());
  batch.largest.resize(0);
  batch.has_missing = false;
  set_weights(weights, batch);
}

template <class T>
void prepare_nothing(Index F, Batch<T>& batch) {
  batch.own_samples(F, 0);
  batch.scale.resize(0);
  batch.largest.resize(0);
  batch.weight.resize(0);
  batch.has_missing = false;
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
double largest_entry(const Batch<T>& batch) {
  T largest = 0;
  for (Index j = 0; j < batch.largest.size(); ++j)
    if (batch.weight[j] > 0) largest = std::max(largest, batch.largest[j] / batch.scale[j]);
  return double(largest);
}

template <class T>
void refuse_vanishing(const Batch<T>& batch) {
  const T largest = T(largest_entry(batch));
  if (!vanishes(largest)) return;
  throw DataError(fmt::format(
      "the largest entry of sample {} and those with it is {:.3g}: squares of such "
      "numbers vanish in {} precision; scale the data (the setting normalize max does){}",
      batch.number(0), double(largest), precision<T>, or_wider<T>));
}

template <class T>
Encoding<T> encoding_of(const Batch<T>& batch) {
  Encoding<T> encoding;
  to_input_units(batch, encoding.H, encoding.R);
  encoding.loss = batch.loss;
  encoding.iterations = batch.iterations;
  encoding.converged = batch.converged;
  for (Index j = 0; j < batch.size(); ++j) {
    if (!std::isfinite(batch.loss[j]) || !encoding.H.col(j).allFinite()) {
      throw DataError(fmt::format(
          "sample {}, with entries up to {:.3g}, cannot be encoded: squares of such numbers exceed "
          "{} precision; scale the data{}",
          batch.number(j), double(batch.largest[j]), precision<T>, or_wider<T>));
    }
    // The requested accuracy is a matter of squares.
    if (vanishes(batch.largest[j] / batch.scale[j])) encoding.converged = false;
  }
  return encoding;
}

template double largest_entry(const Batch<float>&);
template double largest_entry(const Batch<double>&);
template void refuse_vanishing(const Batch<float>&);
template void refuse_vanishing(const Batch<double>&);
template Encoding<float> encoding_of(const Batch<float>&);
template Encoding<double> encoding_of(const Batch<double>&);
template void prepare(ConstMatrixRef<float>, const Vector<double>&, const Settings&, Index,
                      const Executor&, Batch<float>&, const Vector<float>&);
template void prepare(ConstMatrixRef<double>, const Vector<double>&, const Settings&, Index,
                      const Executor&, Batch<double>&, const Vector<double>&);
template void prepare(const Matrix<std::uint8_t>&, double, const Vector<double>&, Index,
                      Batch<float>&);
template void prepare(const Matrix<std::uint8_t>&, double, const Vector<double>&, Index,
                      Batch<double>&);
template void prepare_nothing(Index, Batch<float>&);
template void prepare_nothing(Index, Batch<double>&);
template void to_input_units(const Batch<float>&, Matrix<float>&, Matrix<float>&);
template void to_input_units(const Batch<double>&, Matrix<double>&, Matrix<double>&);

}  // namespace tamis
