#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/measure.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "kernels/panel.hpp"
#include "kernels/samples-inl.hpp"
#include "kernels/tile-inl.hpp"
#include "noise.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

// Sums of one column, lane by lane
template <class D>
struct LaneSums {
  hn::Vec<D> fit, energy, magnitudes, squares;
};

template <class T, class Storage>
struct Measure {
  Storage V;
  Shrinkage<T> s;
  Panel<T> Y;
  LaneSums<hn::ScalableTag<T>>* sums;
  std::uint32_t* histogram;

  template <class D, class Rows>
  HWY_INLINE void operator()(D d, const Rows& rows, Index i, Index j, hn::Vec<D> p) const {
    const auto v = V.load(d, rows, i, j);
    const auto [r, y] = split<Storage::may_be_missing>(d, s, v, p);
    rows.store(d, y, Y.col(j) + i);
    if (rows.count(d) == Index(hn::Lanes(d))) {
      add(d, j, y, p, r);
    } else {
      const auto mask = hn::FirstN(d, std::size_t(rows.count(d)));
      add(d, j, hn::IfThenElseZero(mask, y), hn::IfThenElseZero(mask, p),
          hn::IfThenElseZero(mask, r));
    }
    if (histogram != nullptr) count(d, rows.count(d), hn::Abs(hn::Sub(v, p)));
  }

  template <class D>
  HWY_INLINE void add(D, Index j, hn::Vec<D> y, hn::Vec<D> p, hn::Vec<D> r) const {
    auto& sum = sums[j];
    const auto rest = hn::Sub(y, p);
    sum.fit = hn::MulAdd(rest, rest, sum.fit);
    sum.energy = hn::MulAdd(y, y, sum.energy);
    sum.magnitudes = hn::Add(sum.magnitudes, hn::Abs(r));
    sum.squares = hn::MulAdd(r, r, sum.squares);
  }

  // NaN (missing) and 0 have bins of their own, which the histogram's owner ignores.
  template <class D>
  HWY_INLINE void count(D d, Index valid, hn::Vec<D> residual) const {
    HWY_ALIGN T residuals[HWY_MAX_BYTES / sizeof(T)] = {};
    hn::Store(residual, d, residuals);
    for (Index lane = 0; lane < valid; ++lane)
      ++histogram[std::bit_cast<std::uint32_t>(float(residuals[lane])) >> histogram_shift];
  }
};

template <class T>
struct MeasuredProduct {
  Panel<const T> W, X;
  Shrinkage<T> s;
  Panel<T> Y;
  Sums* sums;
  std::uint32_t* histogram;

  template <class Storage>
  HWY_INLINE void operator()(Storage V) const {
    const hn::ScalableTag<T> d;
    using D = hn::ScalableTag<T>;
    LaneSums<D> lanes[widest];
    for (Index left = 0; left < X.rows; left += widest) {
      const Index n = HWY_MIN(Index(widest), X.rows - left);
      for (auto& sum : lanes) sum = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      Storage part = V;
      part.columns = V.columns + left;
      multiply(d, W, Panel<const T>(X.data + left, X.stride, n, X.cols),
               Measure<T, Storage>{part, s, Y.middle_cols(left, n), lanes, histogram});
      for (Index j = 0; j < n; ++j) {
        sums[left + j].fit += sum_of(d, lanes[j].fit);
        sums[left + j].energy += sum_of(d, lanes[j].energy);
        sums[left + j].magnitudes += sum_of(d, lanes[j].magnitudes);
        sums[left + j].squares += sum_of(d, lanes[j].squares);
      }
    }
  }

  template <class D>
  static HWY_INLINE double sum_of(D d, hn::Vec<D> v) {
    return double(hn::GetLane(hn::SumOfLanes(d, v)));
  }
};

#define TAMIS_INSTANTIATE(T)                                                                    \
  void measured_##T(const Panel<const T>& W, const Panel<const T>& X, const Samples<T>& V,      \
                    const Index* columns, const Shrinkage<T>& s, const Panel<T>& Y, Sums* sums, \
                    std::uint32_t* histogram) {                                                 \
    with_storage(V, columns, MeasuredProduct<T>{W, X, s, Y, sums, histogram});                  \
  }
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::kernels {

#define TAMIS_DISPATCH(T)                                                                   \
  HWY_EXPORT(measured_##T);                                                                 \
  template <>                                                                               \
  void measured_product(Panel<const T> W, Panel<const T> X_transposed, const Samples<T>& V, \
                        const Index* columns, const Shrinkage<T>& shrinkage, Panel<T> Y,    \
                        Sums* sums, std::uint32_t* histogram) {                             \
    HWY_DYNAMIC_DISPATCH(measured_##T)                                                      \
    (W, X_transposed, V, columns, shrinkage, Y, sums, histogram);                           \
  }
TAMIS_DISPATCH(float)
TAMIS_DISPATCH(double)
#undef TAMIS_DISPATCH

}  // namespace tamis::kernels
#endif
