// y = v − clip(S_λ(v − p)·scale): the elementwise heart of encoding, one pass, no branches.
#pragma once

#include "kernels/shrinkage.hpp"
#include "kernels/sums.hpp"
#include "tamis/types.hpp"

namespace tamis::kernels {

// For `count` entries. Where v is NaN (missing) y = p.
void clean(const float* v, const float* p, float* y, Index count, Shrinkage<float> shrinkage);
void clean(const double* v, const double* p, double* y, Index count, Shrinkage<double> shrinkage);

// What the loss of a sample v with prediction p is made of once it is cleaned to y; the outlier of
// a missing entry is 0.
Sums measure(const float* v, const float* p, const float* y, Index count);
Sums measure(const double* v, const double* p, const double* y, Index count);

// The steps of ADMM that follow r: q ← clip(r + β/ρ₂), β ← β + ρ₂(r − q), y ← v − r; where v is
// missing y = p, and nothing else is changed.
template <class T>
struct OutlierCopies {
  const T *v, *p, *r;
  T *q, *beta, *y;
};
void settle_outliers(const OutlierCopies<float>& x, Index count, float rho2, float low, float high);
void settle_outliers(const OutlierCopies<double>& x, Index count, double rho2, double low,
                     double high);

}  // namespace tamis::kernels
