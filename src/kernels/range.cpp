#include "kernels/range.hpp"

#include <algorithm>

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

// 0, or NaN for infinity and NaN
template <class T>
[[gnu::always_inline]] inline T wrongness(T x) {
  return x - x;  // NOLINT(misc-redundant-expression): not 0 for all
}

// In lanes of its own: a compiler may not reorder a minimum, but it may do 16 of them at once.
template <class T>
[[gnu::always_inline]] inline Range<T> range_of(const T* v, Index count) {
  constexpr Index lanes = 16;
  T smallest[lanes] = {};
  T largest[lanes] = {};
  T wrong[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (Index lane = 0; lane < lanes; ++lane) {
      const T x = v[i + lane];
      smallest[lane] = x < smallest[lane] ? x : smallest[lane];
      largest[lane] = x > largest[lane] ? x : largest[lane];
      wrong[lane] += wrongness(x);
    }
  }
  for (; i < count; ++i) {
    smallest[0] = std::min(smallest[0], v[i]);
    largest[0] = std::max(largest[0], v[i]);
    wrong[0] += wrongness(v[i]);
  }
  return {*std::min_element(smallest, smallest + lanes),
          *std::max_element(largest, largest + lanes),
          std::all_of(wrong, wrong + lanes, [](T x) { return x == 0; })};
}

}  // namespace

TAMIS_CLONES Range<float> range(const float* v, Index count) { return range_of(v, count); }
TAMIS_CLONES Range<double> range(const double* v, Index count) { return range_of(v, count); }

}  // namespace tamis::kernels
