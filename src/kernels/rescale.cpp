#include "kernels/rescale.hpp"

#include <numeric>

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

// In lanes of its own: a compiler may not reorder a sum, but it may make 16 of them at once.
template <class Entry>
[[gnu::always_inline]] inline double sum_of_squares_of(const Entry& entry, Index count) {
  constexpr Index lanes = 16;
  double sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (Index lane = 0; lane < lanes; ++lane) {
      const double x = entry(i + lane);
      sums[lane] += x * x;
    }
  }
  for (; i < count; ++i) sums[0] += entry(i) * entry(i);
  return std::accumulate(sums, sums + lanes, 0.0);
}

template <class T>
[[gnu::always_inline]] inline double sum_of_squares_of(const T* w, Index count) {
  return sum_of_squares_of([w](Index i) [[gnu::always_inline]] { return double(w[i]); }, count);
}

template <class T>
[[gnu::always_inline]] inline double squared_distance_of(const T* x, const T* y, Index count) {
  return sum_of_squares_of(
      [x, y](Index i) [[gnu::always_inline]] { return double(x[i]) - double(y[i]); }, count);
}

template <class T>
[[gnu::always_inline]] inline void rescale_of(T* __restrict w, double* __restrict b, Index count,
                                              double norm) {
  const T divisor = T(norm);
  for (Index i = 0; i < count; ++i) {
    w[i] /= divisor;
    b[i] *= norm;
  }
}

}  // namespace

TAMIS_CLONES double sum_of_squares(const float* w, Index count) {
  return sum_of_squares_of(w, count);
}
TAMIS_CLONES double sum_of_squares(const double* w, Index count) {
  return sum_of_squares_of(w, count);
}

TAMIS_CLONES double squared_distance(const float* x, const float* y, Index count) {
  return squared_distance_of(x, y, count);
}
TAMIS_CLONES double squared_distance(const double* x, const double* y, Index count) {
  return squared_distance_of(x, y, count);
}

TAMIS_CLONES void rescale(float* w, double* b, Index count, double norm) {
  rescale_of(w, b, count, norm);
}
TAMIS_CLONES void rescale(double* w, double* b, Index count, double norm) {
  rescale_of(w, b, count, norm);
}

}  // namespace tamis::kernels
