#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sweep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/panel.hpp"
#include "kernels/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

template <class D, class Rows>
HWY_INLINE hn::Vec<D> load_rounded(D d, const Rows& rows, const double* from) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T values[HWY_MAX_BYTES / sizeof(T)] = {};
  for (Index lane = 0, n = rows.count(d); lane < n; ++lane) values[lane] = T(from[lane]);
  return hn::Load(d, values);
}

template <class T>
struct Sweep {
  Panel<const T> A;
  Panel<const double> B;
  const T* inverse;
  Index sweeps;
  T tolerance;
  T least;
  Panel<T> W;

  // N atoms of M vectors of rows: W·A for all of them is one product; a step of one atom then
  // corrects the products of those that follow.
  template <int M, int N, class D, class Rows>
  HWY_INLINE void step(D d, const Rows& rows, Index top, Index left, hn::Vec<D>& moved,
                       hn::Vec<D>& size) const {
    const auto lanes = Index(hn::Lanes(d));
    hn::Vec<D> WA[M][N];
    sum_tile<M, N, T>(d, rows, W, top, A, left, WA);
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n) {
      const Index j = left + n;
      HWY_UNROLL(16)
      for (int m = 0; m < M; ++m) {
        T* at = W.col(j) + top + m * lanes;
        const auto w = rows.load(d, at);
        const auto b = load_rounded(d, rows, B.col(j) + top + m * lanes);
        const auto target = hn::MulAdd(hn::Sub(b, WA[m][n]), hn::Set(d, inverse[j]), w);
        const auto next = hn::Max(target, hn::Set(d, least));
        rows.store(d, next, at);
        const auto change = hn::Sub(next, w);
        moved = hn::MulAdd(change, change, moved);
        size = hn::MulAdd(next, next, size);
        for (int later = n + 1; later < N; ++later)
          WA[m][later] = hn::MulAdd(change, hn::Set(d, A.col(j)[left + later]), WA[m][later]);
      }
    }
  }

  template <int M, class D, class Rows>
  HWY_INLINE void rows_of(D d, const Rows& rows, Index top) const {
    for (Index done = 0; done < sweeps; ++done) {
      auto moved = hn::Zero(d);
      auto size = hn::Zero(d);
      Index left = 0;
      for (; left + 6 <= W.cols; left += 6) step<M, 6>(d, rows, top, left, moved, size);
      for (; left + 2 <= W.cols; left += 2) step<M, 2>(d, rows, top, left, moved, size);
      if (left < W.cols) step<M, 1>(d, rows, top, left, moved, size);
      if (tolerance > 0 && hn::GetLane(hn::SumOfLanes(d, moved)) <=
                               tolerance * tolerance * hn::GetLane(hn::SumOfLanes(d, size)))
        return;
    }
  }

  HWY_INLINE void all() const {
    const hn::ScalableTag<T> d;
    using D = hn::ScalableTag<T>;
    const auto lanes = Index(hn::Lanes(d));
    Index top = 0;
#if HWY_TARGET <= HWY_AVX3
    for (; top + 4 * lanes <= W.rows; top += 4 * lanes) rows_of<4>(d, WholeRows<D>{}, top);
#endif
    for (; top + 2 * lanes <= W.rows; top += 2 * lanes) rows_of<2>(d, WholeRows<D>{}, top);
    if (top + lanes <= W.rows) {
      rows_of<1>(d, WholeRows<D>{}, top);
      top += lanes;
    }
    if (top < W.rows) rows_of<1>(d, FirstRows<D>(d, W.rows - top), top);
  }
};

#define TAMIS_INSTANTIATE(T)                                                              \
  void sweep_##T(const Panel<const T>& A, const Panel<const double>& B, const T* inverse, \
                 Index sweeps, T tolerance, T least, const Panel<T>& W) {                 \
    Sweep<T>{A, B, inverse, sweeps, tolerance, least, W}.all();                           \
  }
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::kernels {

#define TAMIS_DISPATCH(T)                                                                          \
  HWY_EXPORT(sweep_##T);                                                                           \
  template <>                                                                                      \
  void sweep(Panel<const T> A, Panel<const double> B, const T* inverse, Index sweeps, T tolerance, \
             T least, Panel<T> W) {                                                                \
    HWY_DYNAMIC_DISPATCH(sweep_##T)(A, B, inverse, sweeps, tolerance, least, W);                   \
  }
TAMIS_DISPATCH(float)
TAMIS_DISPATCH(double)
#undef TAMIS_DISPATCH

}  // namespace tamis::kernels
#endif
