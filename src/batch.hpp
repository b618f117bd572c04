// One mini-batch on its way through the loop.
#pragma once

#include <new>
#include <vector>

#include "kernels/panel.hpp"
#include "noise.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Batch {
  using View = Eigen::Map<const Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>;

  Batch() = default;
  ~Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // From the source, made ready by prepare(). Samples stay where they are unless they have to be
  // scaled. Those stored as bytes have no V: only `fast` can do without.
  View V{nullptr, 0, 0, Eigen::OuterStride<>(0)};  // F×n, NaN = missing
  kernels::Samples<T> samples;                     // the same, or bytes
  Vector<T> scale;                                 // n, what each sample was divided by
  Vector<T> largest;  // n, magnitude of each sample's largest entry before that; empty for bytes
  Vector<double> weight;  // n
  bool has_missing = false;
  Index epoch = 0;
  Index first = 0;           // number of the first sample within the epoch
  std::vector<Index> order;  // n: which sample of the input each one is; empty: as counted

  // From the encoder
  Matrix<T> H;  // K×n codes that are returned and written
  Matrix<T> Y;  // F×n cleaned samples V − R; Wh where missing
  // Of batch ADMM: the unsplit copies of H and Y, whose products its own update needs
  const Matrix<T>* unsplit_H = nullptr;
  const Matrix<T>* unsplit_Y = nullptr;
  Vector<double> loss;      // n, ℓ̃(v, W, h, r)
  Vector<double> constant;  // n, ½‖v − r‖² + φ(r) + ψ(h): what W does not change
  bool count_residuals = false;
  ResidualHistogram residuals;  // of |v − Wh|, if they are to be counted
  Index iterations = 0;         // of the sample that needed most
  bool converged = true;        // all samples reached the requested accuracy

  Index size() const { return samples.cols(); }
  Index features() const { return samples.rows(); }
  Index number(Index j) const { return order.empty() ? first + j : order[std::size_t(j)]; }

  void set_samples(const ConstMatrixRef<T>& numbers) {
    new (&V) View(numbers.data(), numbers.rows(), numbers.cols(),
                  Eigen::OuterStride<>(numbers.outerStride()));
    samples = {kernels::Panel<const T>(V), {}, T(1)};
  }
  void set_samples(const Matrix<std::uint8_t>& bytes, double unit) {
    new (&V) View(nullptr, 0, 0, Eigen::OuterStride<>(0));
    samples = {{}, kernels::Panel<const std::uint8_t>(bytes), T(unit)};
  }
  // Memory for samples that have to be changed; V becomes a view of it.
  Matrix<T>& own_samples(Index F, Index n) {
    own_.resize(F, n);
    set_samples(own_);
    return own_;
  }
  T value(Index i, Index j) const {
    return samples.stored_as_bytes() ? T(samples.bytes.col(j)[i]) / samples.unit
                                     : samples.values.col(j)[i];
  }

  void resize_results(Index K) {
    H.resize(K, size());
    Y.resize(features(), size());
    loss.resize(size());
    constant.resize(size());
    unsplit_H = nullptr;
    unsplit_Y = nullptr;
    iterations = 0;
    converged = true;
    if (count_residuals) residuals.clear();
  }

 private:
  Matrix<T> own_;
};

}  // namespace tamis
