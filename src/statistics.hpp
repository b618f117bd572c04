// What a mini-batch adds to the statistics: ΔA = Σ s hhᵀ, ΔB = Σ s(v − r)hᵀ, Δc, the total weight
// and the residuals' histogram, in one array of doubles, because that array is all that ranks
// exchange. Batch ADMM has a second pair of sums, over its unsplit H and R.
#pragma once

#include <span>
#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "noise.hpp"
#include "parallel.hpp"
#include "tamis/forget.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class Increment {
 public:
  // Sums over the batch; s are the sample weights. Residuals are counted only if asked for.
  void accumulate(const Batch<T>& batch, bool count_residuals, const Executor& executor);

  std::span<double> values() { return values_; }

  // Adds the sums to the model's weighted means, the past fading by β.
  void absorb_into(Model<T>& model, double beta, const Executor& executor) const;

  Index samples() const { return Index(scalars()[0]); }
  double weight() const { return scalars()[1]; }
  double mean_loss() const { return weight() > 0 ? scalars()[3] / weight() : 0; }
  double mean_constant() const { return weight() > 0 ? scalars()[2] / weight() : 0; }
  std::span<const double> residual_counts() const;

  using ConstView = Eigen::Map<const Matrix<double>>;
  // Σ s hhᵀ and Σ s(v − r)hᵀ over the unsplit copies, if the batch has them
  ConstView unsplit_A() const { return {values_.data() + scalar_count + pair_size(), K_, K_}; }
  ConstView unsplit_B() const {
    return {values_.data() + scalar_count + pair_size() + K_ * K_, F_, K_};
  }

 private:
  static constexpr std::size_t scalar_count = 4;  // samples, weight, Σ s·constant, Σ s·loss
  using View = Eigen::Map<Matrix<double>>;

  void resize(const Batch<T>& batch, bool count_residuals);
  std::size_t pair_size() const { return std::size_t(K_ * K_ + F_ * K_); }
  // The first or second pair of sums
  View A(std::size_t pair) { return {values_.data() + scalar_count + pair * pair_size(), K_, K_}; }
  View B(std::size_t pair) {
    return {values_.data() + scalar_count + pair * pair_size() + K_ * K_, F_, K_};
  }
  ConstView A() const { return {values_.data() + scalar_count, K_, K_}; }
  ConstView B() const { return {values_.data() + scalar_count + K_ * K_, F_, K_}; }
  std::span<const double> scalars() const { return std::span(values_).first(scalar_count); }
  void add_scalars(const Batch<T>& batch);
  void add_products(const Matrix<T>& H, const Matrix<T>& Y, const Batch<T>& batch, std::size_t pair,
                    const Executor& executor);
  void count_residuals(const Batch<T>& batch, const Executor& executor);

  Index F_ = 0;
  Index K_ = 0;
  bool counts_residuals_ = false;
  std::vector<double> values_;
  Matrix<T> weighted_H_;
  struct Slot {
    Buffer<T> product;
    ResidualHistogram histogram;
  };
  std::vector<Slot> slots_;
};

}  // namespace tamis
