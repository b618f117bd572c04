// Samples with their gross errors replaced.
#pragma once

#include <optional>

#include "tamis/model.hpp"
#include "tamis/types.hpp"

namespace tamis {

// What a threshold is measured in: the units of the data, or what the model divides a sample by.
// For a model that scales samples to their maximum the same is far for one and near for another.
enum class ThresholdUnit { data, scaled };

// How far an entry of a scaled sample may be from Wh and still be believed: where the residuals
// v − Wh of these samples are as likely gross errors as not. Few samples do not tell: then it is
// three times the noise scale σ̂, of the model or (its λ was given) of these residuals. Residuals
// that are exactly 0, as those of samples of zeros, say nothing about the others; if there are no
// others, there is no threshold, and none is needed.
template <class T>
std::optional<double> inlier_threshold(const Model<T>& model, ConstMatrixRef<T> V,
                                       const Encoding<T>& encoding);

// v where |v − Wh| ≤ threshold, Wh elsewhere and where an entry is missing.
template <class T>
Matrix<T> denoise(const Model<T>& model, ConstMatrixRef<T> V, const Encoding<T>& encoding,
                  double threshold, ThresholdUnit unit = ThresholdUnit::data);

}  // namespace tamis
