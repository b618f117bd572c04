// Samples as vectors, and their split into outliers and the rest; see tile-inl.hpp.
#if defined(TAMIS_SAMPLES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SAMPLES_INL_HPP
#undef TAMIS_SAMPLES_INL_HPP
#else
#define TAMIS_SAMPLES_INL_HPP
#endif

#include <hwy/highway.h>

#include "kernels/panel.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// v as a vector, for samples stored as numbers
template <class T>
struct Numbers {
  Panel<const T> V;
  const Index* columns;
  static constexpr bool may_be_missing = true;
  template <class D, class Rows>
  HWY_INLINE hn::Vec<D> load(D d, const Rows& rows, Index i, Index j) const {
    return rows.load(d, V.col(columns[j]) + i);
  }
};

// The same for bytes: byte/unit with the same rounding as a division, which would take longer than
// all the rest.
template <class T>
struct Bytes {
  Panel<const std::uint8_t> V;
  const Index* columns;
  T unit;
  static constexpr bool may_be_missing = false;
  template <class D, class Rows>
  HWY_INLINE hn::Vec<D> load(D d, const Rows& rows, Index i, Index j) const {
    const hn::Rebind<std::uint8_t, D> d8;
    const hn::Rebind<std::int32_t, D> d32;
    const std::uint8_t* from = V.col(columns[j]) + i;
    HWY_ALIGN std::uint8_t edge[HWY_MAX_BYTES] = {};
    const Index count = rows.count(d);
    if (count < Index(hn::Lanes(d))) {
      for (Index lane = 0; lane < count; ++lane) edge[lane] = from[lane];
      from = edge;
    }
    const auto whole = hn::PromoteTo(d32, hn::LoadU(d8, from));
    hn::Vec<D> x;
    if constexpr (sizeof(T) == 4) {
      x = hn::ConvertTo(d, whole);
    } else {
      x = hn::PromoteTo(d, whole);
    }
    const auto divisor = hn::Set(d, unit);
#if HWY_TARGET > HWY_AVX2  // no fused multiply-add
    return hn::Div(x, divisor);
#else
    const auto inverse = hn::Set(d, 1 / unit);
    const auto quotient = hn::Mul(x, inverse);
    return hn::MulAdd(hn::NegMulAdd(quotient, divisor, x), inverse, quotient);
#endif
  }
};

// e = v − p split into the outlier r and the rest, and y = v − r
template <class D>
struct Split {
  hn::Vec<D> r, y;
};

template <bool may_be_missing, class D>
HWY_INLINE Split<D> split(D d, const Shrinkage<hn::TFromD<D>>& s, hn::Vec<D> v, hn::Vec<D> p) {
  const auto e = hn::Sub(v, p);
  const auto inlier = hn::Min(hn::Max(e, hn::Set(d, -s.threshold)), hn::Set(d, s.threshold));
  auto r = hn::Mul(hn::Sub(e, inlier), hn::Set(d, s.scale));
  r = hn::Min(hn::Max(r, hn::Set(d, s.low)), hn::Set(d, s.high));
  if constexpr (!may_be_missing) return {r, hn::Sub(v, r)};
  const auto missing = hn::IsNaN(v);
  return {hn::IfThenZeroElse(missing, r), hn::IfThenElse(missing, p, hn::Sub(v, r))};
}

// Calls work with the reader of the samples' storage.
template <class T, class Work>
HWY_INLINE void with_storage(const Samples<T>& V, const Index* columns, const Work& work) {
  if (V.stored_as_bytes()) {
    work(Bytes<T>{V.bytes, columns, V.unit});
  } else {
    work(Numbers<T>{V.values, columns});
  }
}

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
