// Register tiles of the products, for one instruction set at a time: included once per target by
// Highway's foreach_target.
#if defined(TAMIS_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_TILE_INL_HPP
#undef TAMIS_TILE_INL_HPP
#else
#define TAMIS_TILE_INL_HPP
#endif

#include <hwy/highway.h>

#include "kernels/panel.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// W·X: a tile of 2 vectors of rows by up to `widest` columns fills the registers.
#if HWY_TARGET <= HWY_AVX3
inline constexpr int widest = 12;
#else
inline constexpr int widest = 6;
#endif

// Rows of a tile: whole vectors, or (at the lower edge of a panel) the first `count` lanes of one.
template <class D>
struct WholeRows {
  template <class T>
  static HWY_INLINE hn::Vec<D> load(D d, const T* from) {
    return hn::LoadU(d, from);
  }
  template <class T>
  static HWY_INLINE void store(D d, hn::Vec<D> v, T* to) {
    hn::StoreU(v, d, to);
  }
  static Index count(D d) { return Index(hn::Lanes(d)); }
};

#if HWY_TARGET <= HWY_AVX2
template <class D>
struct FirstRows {
  hn::Mask<D> mask;
  Index valid;
  FirstRows(D d, Index n) : mask(hn::FirstN(d, std::size_t(n))), valid(n) {}
  template <class T>
  HWY_INLINE hn::Vec<D> load(D d, const T* from) const {
    return hn::MaskedLoad(mask, d, from);
  }
  template <class T>
  HWY_INLINE void store(D d, hn::Vec<D> v, T* to) const {
    hn::BlendedStore(v, mask, d, to);
  }
  Index count(D) const { return valid; }
};
#else
// Older instruction sets touch all lanes also with a mask, and memory beyond the edge is not ours.
template <class D>
struct FirstRows {
  Index valid;
  FirstRows(D, Index n) : valid(n) {}
  template <class T>
  HWY_INLINE hn::Vec<D> load(D d, const T* from) const {
    HWY_ALIGN T lanes[hn::MaxLanes(D())] = {};
    for (Index i = 0; i < valid; ++i) lanes[i] = from[i];
    return hn::Load(d, lanes);
  }
  template <class T>
  HWY_INLINE void store(D d, hn::Vec<D> v, T* to) const {
    HWY_ALIGN T lanes[hn::MaxLanes(D())];
    hn::Store(v, d, lanes);
    for (Index i = 0; i < valid; ++i) to[i] = lanes[i];
  }
  Index count(D) const { return valid; }
};
#endif

// sum[m][n] = Σ_k W[i, k]·X[j, k] for M vectors of rows i and N columns j
template <int M, int N, class T, class D, class Rows>
HWY_INLINE void sum_tile(D d, const Rows& rows, const Panel<const T>& W, Index top,
                         const Panel<const T>& X, Index left, hn::Vec<D> (&sum)[M][N]) {
  const auto lanes = Index(hn::Lanes(d));
  HWY_UNROLL(16)
  for (int m = 0; m < M; ++m) {
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n) sum[m][n] = hn::Zero(d);
  }
  const T* w = W.data + top;
  const T* x = X.data + left;
  for (Index k = 0; k < W.cols; ++k, w += W.stride, x += X.stride) {
    hn::Vec<D> column[M];
    HWY_UNROLL(16)
    for (int m = 0; m < M; ++m) column[m] = rows.load(d, w + m * lanes);
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n) {
      const hn::Vec<D> factor = hn::Set(d, x[n]);
      HWY_UNROLL(16)
      for (int m = 0; m < M; ++m) sum[m][n] = hn::MulAdd(column[m], factor, sum[m][n]);
    }
  }
}

// A tile of the product, then finish(i, j, sum) while it is in registers.
template <int M, int N, class T, class D, class Rows, class Finish>
HWY_INLINE void multiply_tile(D d, const Rows& rows, const Panel<const T>& W, Index top,
                              const Panel<const T>& X, Index left, const Finish& finish) {
  const auto lanes = Index(hn::Lanes(d));
  hn::Vec<D> sum[M][N];
  sum_tile<M, N>(d, rows, W, top, X, left, sum);
  HWY_UNROLL(16)
  for (int n = 0; n < N; ++n) {
    HWY_UNROLL(16)
    for (int m = 0; m < M; ++m) finish(d, rows, top + m * lanes, left + n, sum[m][n]);
  }
}

template <int N, class T, class D, class Finish>
HWY_INLINE void multiply_columns(D d, const Panel<const T>& W, const Panel<const T>& X, Index left,
                                 const Finish& finish) {
  const auto lanes = Index(hn::Lanes(d));
  Index top = 0;
  for (; top + 2 * lanes <= W.rows; top += 2 * lanes)
    multiply_tile<2, N>(d, WholeRows<D>{}, W, top, X, left, finish);
  if (top + lanes <= W.rows) {
    multiply_tile<1, N>(d, WholeRows<D>{}, W, top, X, left, finish);
    top += lanes;
  }
  if (top < W.rows) multiply_tile<1, N>(d, FirstRows<D>(d, W.rows - top), W, top, X, left, finish);
}

// All columns of W·X, where X is given by its transpose.
template <class T, class D, class Finish>
HWY_INLINE void multiply(D d, const Panel<const T>& W, const Panel<const T>& X,
                         const Finish& finish) {
  Index left = 0;
  for (; left + widest <= X.rows; left += widest) multiply_columns<widest>(d, W, X, left, finish);
#if HWY_TARGET <= HWY_AVX3
  if (left + 8 <= X.rows) {
    multiply_columns<8>(d, W, X, left, finish);
    left += 8;
  }
#endif
  if (left + 4 <= X.rows) {
    multiply_columns<4>(d, W, X, left, finish);
    left += 4;
  }
  if (left + 2 <= X.rows) {
    multiply_columns<2>(d, W, X, left, finish);
    left += 2;
  }
  if (left < X.rows) multiply_columns<1>(d, W, X, left, finish);
}

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
