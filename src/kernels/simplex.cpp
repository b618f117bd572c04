// P(w) = (w − θ)₊ with θ such that the sum is 1.
//
// θ by Michelot's method (1986): take the mean excess over the entries still above θ and repeat;
// the set of such entries only shrinks, so it ends after at most `count` passes, in practice a
// handful, and needs no sorted copy. An entry equal to θ may come back by rounding; either way is
// right then.
#include "kernels/simplex.hpp"

#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simplex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "kernels/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

// work(rows, i) for entries [first, end), a vector at a time, the last one perhaps not whole
template <class D, class Work>
HWY_INLINE void for_each_vector(D d, Index first, Index end, const Work& work) {
  const auto lanes = Index(hn::Lanes(d));
  Index i = first;
  for (; i + lanes <= end; i += lanes) work(WholeRows<D>{}, i);
  if (i < end) work(FirstRows<D>(d, end - i), i);
}

struct Excess {
  double sum = 0;
  double entries = 0;
};

// Of the entries above θ
template <class D, class T>
HWY_INLINE Excess excess_of(D d, const T* w, Index count, T theta) {
  constexpr Index entries_per_sum = 1024;  // sums in single precision stay short
  const auto bound = hn::Set(d, theta);
  Excess excess;
  for (Index first = 0; first < count; first += entries_per_sum) {
    auto sum = hn::Zero(d);
    auto entries = hn::Zero(d);
    const Index end = HWY_MIN(count, first + entries_per_sum);
    for_each_vector(d, first, end, [&](const auto& rows, Index i) HWY_ATTR {
      const auto x = rows.load(d, w + i);
      auto above = hn::Gt(x, bound);
      if (rows.count(d) < Index(hn::Lanes(d)))
        above = hn::And(above, hn::FirstN(d, std::size_t(rows.count(d))));
      sum = hn::Add(sum, hn::IfThenElseZero(above, x));
      entries = hn::Add(entries, hn::IfThenElseZero(above, hn::Set(d, T(1))));
    });
    excess.sum += double(hn::GetLane(hn::SumOfLanes(d, sum)));
    excess.entries += double(hn::GetLane(hn::SumOfLanes(d, entries)));
  }
  return excess;
}

template <class D, class T>
HWY_INLINE T largest_of(D d, const T* w, Index count) {
  auto largest = hn::Set(d, w[0]);
  for_each_vector(d, 0, count, [&](const auto& rows, Index i) HWY_ATTR {
    const auto x = rows.load(d, w + i);
    const bool whole = rows.count(d) == Index(hn::Lanes(d));
    largest = hn::Max(
        largest, whole ? x : hn::IfThenElse(hn::FirstN(d, std::size_t(rows.count(d))), x, largest));
  });
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <class T>
HWY_INLINE void project_for(T* w, Index count) {
  if (count == 0) return;
  const hn::ScalableTag<T> d;
  // The projection does not change when a constant is added to w; near 0 the sums keep their
  // digits.
  const auto largest = hn::Set(d, largest_of(d, w, count));
  for_each_vector(d, 0, count, [&](const auto& rows, Index i) HWY_ATTR {
    rows.store(d, hn::Sub(rows.load(d, w + i), largest), w + i);
  });
  Excess excess = excess_of(d, w, count, -std::numeric_limits<T>::infinity());
  T theta = 0;
  for (double before = excess.entries + 1; excess.entries < before;) {
    before = excess.entries;
    theta = T((excess.sum - 1) / excess.entries);
    excess = excess_of(d, w, count, theta);
  }
  const auto threshold = hn::Set(d, theta);
  for_each_vector(d, 0, count, [&](const auto& rows, Index i) HWY_ATTR {
    rows.store(d, hn::Max(hn::Sub(rows.load(d, w + i), threshold), hn::Zero(d)), w + i);
  });
}

template <class T>
HWY_INLINE void step_for(T* w, T* sum, const T* direction, Index count, T weight, T step) {
  const hn::ScalableTag<T> d;
  const auto factor = hn::Set(d, weight);
  const auto length = hn::Set(d, step);
  for_each_vector(d, 0, count, [&](const auto& rows, Index i) HWY_ATTR {
    const auto x = rows.load(d, w + i);
    rows.store(d, hn::MulAdd(factor, x, rows.load(d, sum + i)), sum + i);
    rows.store(d, hn::NegMulAdd(length, rows.load(d, direction + i), x), w + i);
  });
  project_for(w, count);
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define TAMIS_INSTANTIATE(T)                                                       \
  void project_##T(T* w, Index count) { project_for<T>(w, count); }                \
  void step_##T(T* w, T* sum, const T* direction, Index count, T weight, T step) { \
    step_for<T>(w, sum, direction, count, weight, step);                           \
  }
// NOLINTEND(bugprone-macro-parentheses)
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::kernels {

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define TAMIS_DISPATCH(T)                                                                     \
  HWY_EXPORT(project_##T);                                                                    \
  HWY_EXPORT(step_##T);                                                                       \
  void project_to_simplex(T* w, Index count) { HWY_DYNAMIC_DISPATCH(project_##T)(w, count); } \
  void step_on_simplex(T* w, T* sum, const T* direction, Index count, T weight, T step) {     \
    HWY_DYNAMIC_DISPATCH(step_##T)(w, sum, direction, count, weight, step);                   \
  }
// NOLINTEND(bugprone-macro-parentheses)
TAMIS_DISPATCH(float)
TAMIS_DISPATCH(double)
#undef TAMIS_DISPATCH

}  // namespace tamis::kernels
#endif
