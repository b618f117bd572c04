// One mini-batch on its way through the loop.
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Batch {
  // From the source, made ready by prepare()
  Matrix<T> V;            // F×n, NaN = missing
  Vector<T> scale;        // n, what each sample was divided by
  Vector<double> weight;  // n
  bool has_missing = false;
  Index epoch = 0;
  Index first = 0;           // number of the first sample within the epoch
  std::vector<Index> order;  // n: which sample of the input each one is; empty: as counted

  // From the encoder
  Matrix<T> H;  // K×n codes that are returned and written
  Matrix<T> P;  // F×n predictions WH
  Matrix<T> Y;  // F×n cleaned samples V − R; Wh where missing
  // Of batch ADMM: the unsplit copies of H and Y, whose products its own update needs
  const Matrix<T>* unsplit_H = nullptr;
  const Matrix<T>* unsplit_Y = nullptr;
  Vector<double> loss;      // n, ℓ̃(v, W, h, r)
  Vector<double> constant;  // n, ½‖v − r‖² + φ(r) + ψ(h): what W does not change
  Index iterations = 0;     // of the sample that needed most
  bool converged = true;    // all samples reached the requested accuracy

  Index size() const { return V.cols(); }
  Index number(Index j) const { return order.empty() ? first + j : order[std::size_t(j)]; }

  void resize_results(Index K) {
    H.resize(K, V.cols());
    P.resize(V.rows(), V.cols());
    Y.resize(V.rows(), V.cols());
    loss.resize(V.cols());
    constant.resize(V.cols());
    unsplit_H = nullptr;
    unsplit_Y = nullptr;
    iterations = 0;
    converged = true;
  }
};

}  // namespace tamis
