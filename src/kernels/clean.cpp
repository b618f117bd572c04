#include "kernels/clean.hpp"

#include <cmath>
#include <numeric>

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

// As vectors compare: no NaN, which is what a missing entry is
template <class T>
[[gnu::always_inline]] inline bool is_seen(T v) {
  return v == v;  // NOLINT(misc-redundant-expression): false for NaN
}

template <class T>
[[gnu::always_inline]] inline void clean_entries(const T* v, const T* p, T* y, Index count,
                                                 Shrinkage<T> s) {
  for (Index i = 0; i < count; ++i) {
    const T e = v[i] - p[i];
    const T inlier = e < -s.threshold ? -s.threshold : (e > s.threshold ? s.threshold : e);
    T r = (e - inlier) * s.scale;
    r = r < s.low ? s.low : r;
    r = r > s.high ? s.high : r;
    y[i] = is_seen(v[i]) ? v[i] - r : p[i];
  }
}

// Σ term(i), in lanes of its own: a compiler may not reorder a sum, but it may make 16 at once.
template <class Term>
[[gnu::always_inline]] inline double sum_of(const Term& term, Index count) {
  constexpr Index lanes = 16;
  double sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (Index lane = 0; lane < lanes; ++lane) sums[lane] += term(i + lane);
  for (; i < count; ++i) sums[0] += term(i);
  return std::accumulate(sums, sums + lanes, 0.0);
}

// A column stays in the first-level cache: four sums of one kind are faster than one loop of four.
template <class T>
[[gnu::always_inline]] inline Sums measure_entries(const T* v, const T* p, const T* y,
                                                   Index count) {
  const auto square = [](double x) [[gnu::always_inline]] { return x * x; };
  const auto outlier = [v, y](Index i) [[gnu::always_inline]] {
    const T r = v[i] - y[i];
    return double(is_seen(v[i]) ? r : T(0));
  };
  return {
      .fit = sum_of([=](Index i)
                        [[gnu::always_inline]] { return square(double(y[i]) - double(p[i])); },
                    count),
      .energy = sum_of([=](Index i) [[gnu::always_inline]] { return square(double(y[i])); }, count),
      .magnitudes =
          sum_of([=](Index i) [[gnu::always_inline]] { return std::abs(outlier(i)); }, count),
      .squares = sum_of([=](Index i) [[gnu::always_inline]] { return square(outlier(i)); }, count)};
}

template <class T>
[[gnu::always_inline]] inline void settle_entries(const OutlierCopies<T>& x, Index count, T rho2,
                                                  T low, T high) {
  const T* __restrict v = x.v;
  const T* __restrict p = x.p;
  const T* __restrict r = x.r;
  T* __restrict q = x.q;
  T* __restrict beta = x.beta;
  T* __restrict y = x.y;
  for (Index i = 0; i < count; ++i) {
    const bool seen = is_seen(v[i]);
    T next = r[i] + beta[i] / rho2;
    next = next < low ? low : next;
    next = next > high ? high : next;
    const T moved = beta[i] + rho2 * (r[i] - next);
    q[i] = seen ? next : q[i];
    beta[i] = seen ? moved : beta[i];
    y[i] = seen ? v[i] - r[i] : p[i];
  }
}

}  // namespace

TAMIS_CLONES Sums measure(const float* v, const float* p, const float* y, Index count) {
  return measure_entries(v, p, y, count);
}
TAMIS_CLONES Sums measure(const double* v, const double* p, const double* y, Index count) {
  return measure_entries(v, p, y, count);
}

TAMIS_CLONES void settle_outliers(const OutlierCopies<float>& x, Index count, float rho2, float low,
                                  float high) {
  settle_entries(x, count, rho2, low, high);
}
TAMIS_CLONES void settle_outliers(const OutlierCopies<double>& x, Index count, double rho2,
                                  double low, double high) {
  settle_entries(x, count, rho2, low, high);
}

TAMIS_CLONES void clean(const float* v, const float* p, float* y, Index count,
                        Shrinkage<float> shrinkage) {
  clean_entries(v, p, y, count, shrinkage);
}
TAMIS_CLONES void clean(const double* v, const double* p, double* y, Index count,
                        Shrinkage<double> shrinkage) {
  clean_entries(v, p, y, count, shrinkage);
}

}  // namespace tamis::kernels
