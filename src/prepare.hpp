// From samples as they come to a mini-batch: checked and scaled.
#pragma once

#include "batch.hpp"
#include "parallel.hpp"
#include "tamis/io/source.hpp"
#include "tamis/settings.hpp"
#include "tamis/solvers.hpp"

namespace tamis {

// Throws DataError naming the sample (by its number in the batch), the feature and the remedy. F =
// 0: any number of features. The batch refers to V, which must stay where it is.
// largest: see SampleBlock.
template <class T>
void prepare(ConstMatrixRef<T> V, const Vector<double>& weights, const Settings& settings, Index F,
             const Executor& executor, Batch<T>& batch, const Vector<T>& largest = {});

// The same for bytes, of which each stands for byte/unit: nothing can be wrong with them.
template <class T>
void prepare(const Matrix<std::uint8_t>& bytes, double unit, const Vector<double>& weights, Index F,
             Batch<T>& batch);

// A mini-batch of no samples, for a rank that has none left.
template <class T>
void prepare_nothing(Index F, Batch<T>& batch);

// Of all samples that count
template <class T>
double largest_entry(const Batch<T>& batch);

// Throws DataError if the samples are not all 0 but their squares are: nothing can be learned from
// them in this precision.
template <class T>
void refuse_vanishing(const Batch<T>& batch);

// The results of an encoded batch, in input units. Throws DataError if a sample was too large for
// this precision.
template <class T>
Encoding<T> encoding_of(const Batch<T>& batch);

// R of a batch in input units: (V − Y)·scale, 0 where missing; and H·scale.
template <class T>
void to_input_units(const Batch<T>& batch, Matrix<T>& H, Matrix<T>& R);

}  // namespace tamis
