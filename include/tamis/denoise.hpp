// Samples with their gross errors replaced.
#pragma once

#include "tamis/model.hpp"
#include "tamis/types.hpp"

namespace tamis {

// How far an entry may be from Wh and still be believed: three times the noise scale σ̂. A model
// that did not estimate it (its λ was given) takes it from the residuals v − Wh of these samples.
template <class T>
double inlier_threshold(const Model<T>& model, ConstMatrixRef<T> V, const Encoding<T>& encoding);

// v where |v − Wh| ≤ threshold, Wh elsewhere and where an entry is missing. The threshold is
// relative to a sample's maximum where the model scales samples to that.
template <class T>
Matrix<T> denoise(const Model<T>& model, ConstMatrixRef<T> V, const Encoding<T>& encoding,
                  double threshold);

}  // namespace tamis
