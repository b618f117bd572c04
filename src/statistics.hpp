// What a mini-batch adds to the statistics: ΔA = Σ s hhᵀ, Δc, the total weight and the residuals'
// histogram, in one array of doubles, because such an array is what ranks exchange. ΔB = Σ s(v −
// r)hᵀ has the size of W and goes straight into B. Batch ADMM has a second pair of sums, over its
// unsplit H and R.
#pragma once

#include <span>
#include <vector>

#include "batch.hpp"
#include "noise.hpp"
#include "parallel.hpp"
#include "tamis/forget.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class Increment {
 public:
  // Sums over the batch; s are the sample weights.
  void accumulate(const Batch<T>& batch, const Executor& executor);
  bool finite() const;  // also what goes into B is

  std::span<double> values() { return values_; }

  // Adds the sums, and those of the batch for B, to the model's weighted means, the past fading by
  // β.
  void absorb_into(Model<T>& model, const Batch<T>& batch, double beta, const Executor& executor);

  Index samples() const { return Index(scalars()[0]); }
  double weight() const { return scalars()[1]; }
  double mean_loss() const { return weight() > 0 ? scalars()[3] / weight() : 0; }
  double mean_constant() const { return weight() > 0 ? scalars()[2] / weight() : 0; }
  std::span<const double> residual_counts() const;

  // Σ s hhᵀ and Σ s(v − r)hᵀ over the unsplit copies, if the batch has them
  const Matrix<double>& unsplit_A() const { return unsplit_A_; }
  const Matrix<double>& unsplit_B() const { return unsplit_B_; }

 private:
  static constexpr std::size_t scalar_count = 4;  // samples, weight, Σ s·constant, Σ s·loss

  std::span<const double> scalars() const { return std::span(values_).first(scalar_count); }
  Eigen::Map<const Matrix<double>> A() const { return {values_.data() + scalar_count, K_, K_}; }
  void add_scalars(const Batch<T>& batch);
  // H with its samples weighted; H itself if all weights are 1
  const Matrix<T>& weighted(const Matrix<T>& H, const Batch<T>& batch);
  void add_outer(const Matrix<T>& H, const Batch<T>& batch, Eigen::Ref<Matrix<double>> A);
  void add_unsplit(const Batch<T>& batch, const Executor& executor);

  Index F_ = 0;
  Index K_ = 0;
  bool counts_residuals_ = false;
  std::vector<double> values_;
  Matrix<T> weighted_H_, product_;
  Matrix<double> unsplit_A_, unsplit_B_;
};

}  // namespace tamis
