// 𝓡 = {low ≤ r ≤ high}: [−M, M], or [0, M] for nonnegative outliers. M = ∞ is allowed.
// Missing entries are NaN; everything here passes a NaN on.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct OutlierSet {
  T low = -std::numeric_limits<T>::infinity();
  T high = std::numeric_limits<T>::infinity();

  static OutlierSet make(double M, bool nonnegative) { return {nonnegative ? T(0) : T(-M), T(M)}; }
  static OutlierSet everything() { return {}; }

  T clip(T x) const { return std::min(std::max(x, low), high); }
};

// sign(x)·max(|x| − t, 0); 0 for t = ∞
template <class T>
T soft_threshold(T x, T t) {
  return x - std::min(std::max(x, -t), t);
}

// λ·x where λ may be infinite and 0·∞ is 0: what an infinitely dear outlier of size 0 costs.
inline double weighted(double lambda, double x) { return x == 0 ? 0 : lambda * x; }

// argmin over 𝓡 of ½‖x − r‖² + t(λ‖x‖₁ + ν₂/2‖x‖²), in place: S̃_{tλ,M} with a shrinkage.
template <class T>
void entrywise_prox(VectorRef<T> r, T t, T lambda, T nu2, OutlierSet<T> set) {
  const T threshold = T(weighted(double(lambda), double(t)));
  const T scale = 1 / (1 + t * nu2);
  for (Index i = 0; i < r.size(); ++i) r[i] = set.clip(soft_threshold(r[i], threshold) * scale);
}

template <class T>
double l1_norm(ConstVectorRef<T> r) {
  return r.template cast<double>().template lpNorm<1>();
}

}  // namespace tamis
