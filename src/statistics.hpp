// What a mini-batch adds to the statistics: ΔA = Σ s hhᵀ, Δc, the total weight and the residuals'
// histogram, in one array of doubles, because such an array is what ranks exchange. ΔB = Σ s(v −
// r)hᵀ has the size of W: of one process it goes straight into B, of several it joins the array.
// Batch ADMM has a second pair of sums, over its unsplit H and R.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "batch.hpp"
#include "buffer.hpp"
#include "noise.hpp"
#include "parallel.hpp"
#include "tamis/communicator.hpp"
#include "tamis/forget.hpp"
#include "tamis/model.hpp"

namespace tamis {

// How ΔB is exchanged, if it is.
enum class Wire { none, as_double, as_float };

template <class T>
class Increment {
 public:
  // Sums over the batch, which may be empty; s are the sample weights.
  void accumulate(const Batch<T>& batch, const Executor& executor, Wire wire = Wire::none);
  bool finite() const;  // also what goes into B is

  // What ranks have to add up
  std::span<double> values() { return values_; }
  std::span<float> float_values() { return float_B_; }
  // The same for sums that are under way while others are made
  Addends hand_over() { return {std::move(values_), std::move(float_B_)}; }
  void take_back(Addends&& sums) {
    values_ = std::move(sums.values);
    float_B_ = std::move(sums.more);
  }

  // Numbers of other kinds that travel along; 0 if nobody sets them
  std::span<double> notes() { return std::span(values_).subspan(scalar_count, note_count()); }
  void ask_to_stop() { values_[5] = 1; }
  bool stop_asked() const { return scalars()[5] > 0; }
  void ask_to_catch_up() { values_[6] = 1; }
  bool catch_up_asked() const { return scalars()[6] > 0; }

  // Adds the sums, and those of the batch for B if they are not exchanged, to the model's weighted
  // means, the past fading by β. scale: what codes have to be multiplied by to belong to the atoms
  // of now; empty: nothing.
  void absorb_into(Model<T>& model, const Batch<T>& batch, double beta, const Executor& executor,
                   const Vector<double>& scale = {});

  Index samples() const { return Index(scalars()[0]); }
  double weight() const { return scalars()[1]; }
  double mean_loss() const { return weight() > 0 ? scalars()[3] / weight() : 0; }
  double mean_constant() const { return weight() > 0 ? scalars()[2] / weight() : 0; }
  bool converged() const { return scalars()[4] == 0; }  // every sample's codes
  std::span<const double> residual_counts() const;

  // Σ s hhᵀ and Σ s(v − r)hᵀ over the unsplit copies, if the batch has them
  const Matrix<double>& unsplit_A() const { return unsplit_A_; }
  const Matrix<double>& unsplit_B() const { return unsplit_B_; }

 private:
  // samples, weight, Σ s·constant, Σ s·loss, ranks with unconverged samples, ranks that ask to
  // stop, ranks that ask to catch up
  static constexpr std::size_t scalar_count = 7;

  // Where things are in the array: scalars, notes, A, histogram, B
  std::size_t note_count() const { return wire_ == Wire::none ? 0 : agreement_bits; }
  std::size_t A_begin() const { return scalar_count + note_count(); }
  std::size_t histogram_begin() const { return A_begin() + std::size_t(K_ * K_); }
  std::size_t histogram_size() const { return counts_residuals_ ? ResidualHistogram::bins : 0; }
  std::size_t B_begin() const { return histogram_begin() + histogram_size(); }

  std::span<const double> scalars() const { return std::span(values_).first(scalar_count); }
  Eigen::Map<const Matrix<double>> A() const { return {values_.data() + A_begin(), K_, K_}; }
  void add_scalars(const Batch<T>& batch);
  void add_B(const Batch<T>& batch, const Executor& executor);
  void absorb_product(const Matrix<T>& Y, const Matrix<T>& H, double keep, double add,
                      const Executor& executor, Eigen::Ref<Matrix<double>> B);
  template <class Number>
  void absorb_B(const Number* B, double keep, const Executor& executor, Matrix<double>& mean) const;
  // H with its samples weighted; H itself if all weights are 1
  const Matrix<T>& weighted(const Matrix<T>& H, const Batch<T>& batch);
  void add_outer(const Matrix<T>& H, const Batch<T>& batch, Eigen::Ref<Matrix<double>> A);
  void add_unsplit(const Batch<T>& batch, const Executor& executor);

  Index F_ = 0;
  Index K_ = 0;
  bool counts_residuals_ = false;
  Wire wire_ = Wire::none;
  double weight_unit_ = 1;
  std::vector<double> values_;
  std::vector<float> float_B_;
  Matrix<double> exact_B_;  // before it becomes float
  Vector<double> add_B_;    // how much of each column counts
  Matrix<T> weighted_H_, product_;
  Matrix<double> unsplit_A_, unsplit_B_;
  std::vector<Buffer<T>> sums_;  // per thread, of the samples that are added up in single precision
};

}  // namespace tamis
