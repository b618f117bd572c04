// The products of the hot loops, one panel of rows at a time: W·X and Wᵀ·Y for panels that stay in
// the cache, with what follows a product (shrinkage, statistics) done while its result is still in
// registers. Written here and not left to BLAS because of that, and because BLAS packs its operands
// anew in every call, which for narrow mini-batches costs more than the product.
//
// The code is compiled for several instruction sets and the best is chosen at run time (Highway). A
// column of a result does not depend on its neighbours, to the bit.
#pragma once

#include <cstdint>

#include "kernels/shrinkage.hpp"
#include "kernels/sums.hpp"
#include "tamis/types.hpp"

namespace tamis::kernels {

// Rows [0, rows) of a column-major matrix.
template <class Entry>
struct Panel {
  Entry* data = nullptr;
  Index stride = 0;  // from one column to the next
  Index rows = 0;
  Index cols = 0;

  Panel() = default;
  Panel(Entry* first, Index to_next_column, Index row_count, Index column_count)
      : data(first), stride(to_next_column), rows(row_count), cols(column_count) {}
  template <class Matrix>
  explicit Panel(Matrix&& matrix)  // NOLINT(bugprone-forwarding-reference-overload): any of Eigen's
      : Panel(matrix.data(), matrix.outerStride(), matrix.rows(), matrix.cols()) {}

  operator Panel<const Entry>() const { return {data, stride, rows, cols}; }
  Panel middle_rows(Index top, Index count) const { return {data + top, stride, count, cols}; }
  Panel middle_cols(Index left, Index count) const {
    return {data + left * stride, stride, rows, count};
  }
  Entry* col(Index j) const { return data + j * stride; }
};

// Samples as they came: numbers, or bytes of which each stands for byte/unit.
template <class T>
struct Samples {
  Panel<const T> values;
  Panel<const std::uint8_t> bytes;  // empty: `values` it is
  T unit = 1;

  bool stored_as_bytes() const { return bytes.data != nullptr; }
  Index rows() const { return stored_as_bytes() ? bytes.rows : values.rows; }
  Index cols() const { return stored_as_bytes() ? bytes.cols : values.cols; }
  Samples middle_rows(Index top, Index count) const {
    return stored_as_bytes() ? Samples{{}, bytes.middle_rows(top, count), unit}
                             : Samples{values.middle_rows(top, count), {}, unit};
  }
  Samples middle_cols(Index left, Index count) const {
    return stored_as_bytes() ? Samples{{}, bytes.middle_cols(left, count), unit}
                             : Samples{values.middle_cols(left, count), {}, unit};
  }
};

// P ← W·X. X is given by its transpose (n×K): that is how its entries are needed, one after
// another.
template <class T>
void product(Panel<const T> W, Panel<const T> X_transposed, Panel<T> P);

// Y ← V − clip(S_λ(V − W·X)·scale), entry by entry; W·X where V is NaN (missing). Column j of X and
// Y belongs to column columns[j] of V.
template <class T>
void cleaned_product(Panel<const T> W, Panel<const T> X_transposed, const Samples<T>& V,
                     const Index* columns, const Shrinkage<T>& shrinkage, Panel<T> Y);

// The same, adding to sums[j] and, unless it is null, to a histogram of |V − W·X| (see
// ResidualHistogram).
template <class T>
void measured_product(Panel<const T> W, Panel<const T> X_transposed, const Samples<T>& V,
                      const Index* columns, const Shrinkage<T>& shrinkage, Panel<T> Y, Sums* sums,
                      std::uint32_t* histogram);

// S ← Wᵀ·Y, or S + Wᵀ·Y; S is given by its transpose (n×K).
template <class T>
void back_product(Panel<const T> W, Panel<const T> Y, bool add, Panel<T> S_transposed);

// G ← WᵀW, or G + WᵀW: its lower triangle; what is above is not defined.
template <class T>
void gram(Panel<const T> W, bool add, Panel<T> G);

// B ← keep·B + add·Y·Hᵀ in double.
template <class T>
void absorb_product(Panel<const T> Y, Panel<const T> H, double keep, double add, Panel<double> B);

// Coordinate sweeps over the rows of a panel, w_j ← max(w_j + (b_j − W a_j)·inverse[j], least),
// j = 1…K: P₊ for least = 0, no projection for −∞.
// inverse[j] = 1/A_jj, or 0 for an atom to be left alone. Sweeps of a few rows end early when they
// change W by less than `tolerance`, relatively.
template <class T>
void sweep(Panel<const T> A, Panel<const double> B, const T* inverse, Index sweeps, T tolerance,
           T least, Panel<T> W);

}  // namespace tamis::kernels
