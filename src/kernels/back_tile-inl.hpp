// Register tiles of Wᵀ·Y; see tile-inl.hpp.
#if defined(TAMIS_BACK_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_BACK_TILE_INL_HPP
#undef TAMIS_BACK_TILE_INL_HPP
#else
#define TAMIS_BACK_TILE_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

// Atoms per tile; by 4 columns of Y they fill the registers.
#if HWY_TARGET <= HWY_AVX3
inline constexpr int tallest = 6;
#else
inline constexpr int tallest = 2;
#endif

// The lane sums of four vectors.
template <class D>
HWY_INLINE void four_separate_sums(D d, const hn::Vec<D> (&v)[4], hn::TFromD<D>* to) {
  for (int i = 0; i < 4; ++i) to[i] = hn::GetLane(hn::SumOfLanes(d, v[i]));
}

#if HWY_TARGET == HWY_SCALAR
template <class D>
HWY_INLINE void four_sums(D d, const hn::Vec<D> (&v)[4], hn::TFromD<D>* to) {
  four_separate_sums(d, v, to);
}
#else
// The upper half added to the lower one until 16 bytes are left
template <class D>
HWY_INLINE void store_block_sums(D d, hn::Vec<D> v, hn::TFromD<D>* to) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) > 16) {
    const hn::Half<D> half;
    store_block_sums(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), to);
  } else {
    hn::StoreU(v, d, to);
  }
}

// All four at once need half of the shuffles.
template <class D>
HWY_INLINE void four_sums(D d, const hn::Vec<D> (&v)[4], hn::TFromD<D>* to) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    const hn::RepartitionToWide<D> wide;
    const auto ab = hn::BitCast(
        wide, hn::Add(hn::InterleaveLower(d, v[0], v[1]), hn::InterleaveUpper(d, v[0], v[1])));
    const auto cd = hn::BitCast(
        wide, hn::Add(hn::InterleaveLower(d, v[2], v[3]), hn::InterleaveUpper(d, v[2], v[3])));
    const auto abcd = hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, ab, cd)),
                              hn::BitCast(d, hn::InterleaveUpper(wide, ab, cd)));
    store_block_sums(d, abcd, to);
  } else {
    four_separate_sums(d, v, to);
  }
}
#endif

template <int KB, int N, class T, class D, class Rows>
HWY_INLINE void add_rows(D d, const Rows& rows, const Panel<const T>& W, Index k,
                         const Panel<const T>& Y, Index j, Index i, hn::Vec<D> (&sum)[KB][N]) {
  hn::Vec<D> y[N];
  HWY_UNROLL(16)
  for (int n = 0; n < N; ++n) y[n] = rows.load(d, Y.col(j + n) + i);
  HWY_UNROLL(16)
  for (int b = 0; b < KB; ++b) {
    const auto w = rows.load(d, W.col(k + b) + i);
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n) sum[b][n] = hn::MulAdd(w, y[n], sum[b][n]);
  }
}

// S[j, k] (+)= Σ_i W[i, k]·Y[i, j] for KB atoms and N columns.
template <int KB, int N, class T, class D>
HWY_INLINE void back_tile(D d, const Panel<const T>& W, Index k, const Panel<const T>& Y, Index j,
                          bool add, const Panel<T>& S) {
  const auto lanes = Index(hn::Lanes(d));
  hn::Vec<D> sum[KB][N];
  HWY_UNROLL(16)
  for (int b = 0; b < KB; ++b) {
    HWY_UNROLL(16)
    for (int n = 0; n < N; ++n) sum[b][n] = hn::Zero(d);
  }
  Index i = 0;
  for (; i + lanes <= W.rows; i += lanes) add_rows<KB, N, T>(d, WholeRows<D>{}, W, k, Y, j, i, sum);
  if (i < W.rows) add_rows<KB, N, T>(d, FirstRows<D>(d, W.rows - i), W, k, Y, j, i, sum);
  HWY_UNROLL(16)
  for (int b = 0; b < KB; ++b) {
    T* to = S.col(k + b) + j;
    T sums[4];
    // Fewer than four are summed in the same order, so that neighbours do not matter.
    const hn::Vec<D> four[4] = {sum[b][0], sum[b][1 % N], sum[b][2 % N], sum[b][3 % N]};
    four_sums(d, four, sums);
    for (int n = 0; n < N; ++n) to[n] = add ? to[n] + sums[n] : sums[n];
  }
}

// KB atoms, all columns, or (of WᵀW) those from the tile of column k − left on: the atoms' rows are
// in the first-level cache after the first tile.
template <int KB, class T, class D>
HWY_INLINE void back_atoms(D d, const Panel<const T>& W, Index k, const Panel<const T>& Y,
                           Index left, bool add, const Panel<T>& S) {
  Index j = std::max<Index>(0, k - left) / 4 * 4;
  for (; j + 4 <= Y.cols; j += 4) back_tile<KB, 4>(d, W, k, Y, j, add, S);
  for (; j < Y.cols; ++j) back_tile<KB, 1>(d, W, k, Y, j, add, S);
}

template <class T, class D>
HWY_INLINE void back_columns(D d, const Panel<const T>& W, const Panel<const T>& Y, Index left,
                             bool add, const Panel<T>& S) {
  Index k = 0;
  for (; k + tallest <= W.cols; k += tallest) back_atoms<tallest>(d, W, k, Y, left, add, S);
#if HWY_TARGET <= HWY_AVX3
  if (k + 4 <= W.cols) {
    back_atoms<4>(d, W, k, Y, left, add, S);
    k += 4;
  }
  if (k + 2 <= W.cols) {
    back_atoms<2>(d, W, k, Y, left, add, S);
    k += 2;
  }
#endif
  for (; k < W.cols; ++k) back_atoms<1>(d, W, k, Y, left, add, S);
}

// As many columns at a time as the first-level cache holds. `triangle`: Y is W, and the lower one
// is enough.
template <class T, class D>
HWY_INLINE void multiply_back(D d, const Panel<const T>& W, const Panel<const T>& Y, bool triangle,
                              bool add, const Panel<T>& S) {
  constexpr Index entries = 24 * 1024 / sizeof(T);
  const Index block = std::max<Index>(4, entries / std::max<Index>(W.rows, 1) / 4 * 4);
  for (Index left = 0; left < Y.cols; left += block) {
    const Index n = std::min(block, Y.cols - left);
    back_columns(d, W, Y.middle_cols(left, n), triangle ? left : W.cols, add,
                 Panel<T>(S.data + left, S.stride, n, S.cols));
  }
}

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
