#include "kernels/range.hpp"

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

template <class T>
[[gnu::always_inline]] inline Range<T> range_of(const T* v, Index count) {
  T smallest = 0;
  T largest = 0;
  int wrong = 0;
  for (Index i = 0; i < count; ++i) {
    const T x = v[i];
    smallest = x < smallest ? x : smallest;
    largest = x > largest ? x : largest;
    wrong |= int(!(x - x == 0));  // infinity or NaN
  }
  return {smallest, largest, wrong == 0};
}

}  // namespace

TAMIS_CLONES Range<float> range(const float* v, Index count) { return range_of(v, count); }
TAMIS_CLONES Range<double> range(const double* v, Index count) { return range_of(v, count); }

}  // namespace tamis::kernels
