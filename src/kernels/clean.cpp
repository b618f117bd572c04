#include "kernels/clean.hpp"

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

template <class T>
[[gnu::always_inline]] inline void clean_entries(const T* v, const T* p, T* y, Index count,
                                                 Shrinkage<T> s) {
  for (Index i = 0; i < count; ++i) {
    const T e = v[i] - p[i];
    const T inlier = e < -s.threshold ? -s.threshold : (e > s.threshold ? s.threshold : e);
    T r = (e - inlier) * s.scale;
    r = r < s.low ? s.low : r;
    r = r > s.high ? s.high : r;
    y[i] = v[i] == v[i] ? v[i] - r : p[i];
  }
}

}  // namespace

TAMIS_CLONES void clean(const float* v, const float* p, float* y, Index count,
                        Shrinkage<float> shrinkage) {
  clean_entries(v, p, y, count, shrinkage);
}
TAMIS_CLONES void clean(const double* v, const double* p, double* y, Index count,
                        Shrinkage<double> shrinkage) {
  clean_entries(v, p, y, count, shrinkage);
}

}  // namespace tamis::kernels
