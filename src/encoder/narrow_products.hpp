// W·X and Wᵀ·Y for a mini-batch of few samples: BLAS would pack W anew in every call, which then
// takes longer than the product. (OpenBLAS has kernels that do not, but for AVX-512 only.)
#pragma once

#include <algorithm>

#include "buffer.hpp"
#include "encoder/row_tasks.hpp"
#include "kernels/panel.hpp"

namespace tamis {

// P ← W·X; `transposed` is memory for Xᵀ.
template <class T>
void narrow_product(const Matrix<T>& W, ConstMatrixRef<T> X, Buffer<T>& transposed,
                    MatrixRef<T> P) {
  auto Xt = transposed.view(X.cols(), X.rows());
  Xt = X.transpose();
  const Index panel = encoding_tasks(W.rows(), W.cols(), true).panel_rows();
  for (Index top = 0; top < W.rows(); top += panel) {
    const Index rows = std::min(panel, W.rows() - top);
    kernels::product<T>(kernels::Panel<const T>(W.middleRows(top, rows)),
                        kernels::Panel<const T>(Xt), kernels::Panel<T>(P.middleRows(top, rows)));
  }
}

// Wᵀ·Y, transposed, in memory that is kept until the next call
template <class T>
typename Buffer<T>::View narrow_back_product(const Matrix<T>& W, ConstMatrixRef<T> Y,
                                             Buffer<T>& transposed) {
  auto St = transposed.view(Y.cols(), W.cols());
  const Index panel = encoding_tasks(W.rows(), W.cols(), true).panel_rows();
  for (Index top = 0; top < W.rows(); top += panel) {
    const Index rows = std::min(panel, W.rows() - top);
    kernels::back_product<T>(kernels::Panel<const T>(W.middleRows(top, rows)),
                             kernels::Panel<const T>(Y.middleRows(top, rows)), top > 0,
                             kernels::Panel<T>(St));
  }
  return St;
}

}  // namespace tamis
