#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/range.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/range.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
Range<T> range_of(const T* v, Index count) {
  const hn::ScalableTag<T> d;
  const auto lanes = Index(hn::Lanes(d));
  auto smallest = hn::Zero(d);
  auto largest = hn::Zero(d);
  auto wrong = hn::Zero(d);  // x − x is 0, but NaN for infinity and NaN
  const auto look = [&](hn::Vec<decltype(d)> x) HWY_ATTR {
    smallest = hn::Min(smallest, x);
    largest = hn::Max(largest, x);
    wrong = hn::Add(wrong, hn::Sub(x, x));
  };
  Index i = 0;
  for (; i + lanes <= count; i += lanes) look(hn::LoadU(d, v + i));
  HWY_ALIGN T rest[hn::MaxLanes(hn::ScalableTag<T>())] = {};
  for (Index lane = 0; i < count; ++i, ++lane) rest[lane] = v[i];
  look(hn::Load(d, rest));
  return {hn::GetLane(hn::MinOfLanes(d, smallest)), hn::GetLane(hn::MaxOfLanes(d, largest)),
          hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d)))};
}

Range<float> range_float(const float* v, Index count) { return range_of(v, count); }
Range<double> range_double(const double* v, Index count) { return range_of(v, count); }

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::kernels {

HWY_EXPORT(range_float);
HWY_EXPORT(range_double);
Range<float> range(const float* v, Index count) {
  return HWY_DYNAMIC_DISPATCH(range_float)(v, count);
}
Range<double> range(const double* v, Index count) {
  return HWY_DYNAMIC_DISPATCH(range_double)(v, count);
}

}  // namespace tamis::kernels
#endif
