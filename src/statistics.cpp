#include "statistics.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/blas.hpp"

namespace tamis {
namespace {

// Sums in single precision stay short: this many samples at most, then they are added up in double.
constexpr Index samples_per_sum = 512;

// What weights are divided by before they become of type T, where very small ones would be 0: near
// the largest, and a power of 4, so that neither a weight nor its root is rounded by it.
double weight_unit(const Vector<double>& weight) {
  const double largest = weight.size() > 0 ? weight.maxCoeff() : 0;
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest) / 2 * 2) : 1;
}

}  // namespace

template <class T>
std::span<const double> Increment<T>::residual_counts() const {
  return std::span(values_).subspan(histogram_begin(), histogram_size());
}

// B ← keep·B + add·Y Hᵀ, rows in parallel. Many samples come from memory, not from the cache: BLAS
// copies them into the order in which they are needed.
template <class T>
void Increment<T>::absorb_product(const Matrix<T>& Y, const Matrix<T>& H, double keep, double add,
                                  const Executor& executor, Eigen::Ref<Matrix<double>> B) {
  const Index N = H.cols();
  sums_.resize(std::size_t(executor.slots()));
  const auto absorb = [&](Index begin, Index end, int slot) {
    auto mine = B.middleRows(begin, end - begin);
    const auto samples = Y.middleRows(begin, end - begin);
    if (N <= samples_per_sum) {
      kernels::absorb_product<T>(kernels::Panel<const T>(samples), kernels::Panel<const T>(H), keep,
                                 add, kernels::Panel<double>(mine));
      return;
    }
    mine *= keep;
    auto sum = sums_[std::size_t(slot)].view(mine.rows(), mine.cols());
    for (Index first = 0; first < N; first += samples_per_sum) {
      const Index n = std::min(samples_per_sum, N - first);
      blas::gemm('N', 'T', T(1), samples.middleCols(first, n), H.middleCols(first, n), T(0), sum);
      mine += add * sum.template cast<double>();
    }
  };
  executor.for_each_row_block(B.rows(), B.cols(), absorb);
}

template <class T>
void Increment<T>::accumulate(const Batch<T>& batch, const Executor& executor, Wire wire) {
  F_ = batch.features();
  K_ = batch.H.rows();
  counts_residuals_ = batch.count_residuals;
  wire_ = wire;
  weight_unit_ = weight_unit(batch.weight);
  const std::size_t B_size = wire == Wire::as_double ? std::size_t(F_ * K_) : 0;
  values_.assign(B_begin() + B_size, 0.0);
  add_scalars(batch);
  add_outer(batch.H, batch, Eigen::Map<Matrix<double>>(values_.data() + A_begin(), K_, K_));
  if (counts_residuals_)
    batch.residuals.add_to(std::span(values_).subspan(histogram_begin(), histogram_size()));
  if (batch.unsplit_H != nullptr) add_unsplit(batch, executor);
  if (wire != Wire::none) add_B(batch, executor);
}

template <class T>
void Increment<T>::add_B(const Batch<T>& batch, const Executor& executor) {
  const Matrix<T>& H = weighted(batch.H, batch);
  if (wire_ == Wire::as_double) {
    const Eigen::Map<Matrix<double>> B(values_.data() + B_begin(), F_, K_);
    absorb_product(batch.Y, H, 0, weight_unit_, executor, B);
  } else {
    exact_B_.setZero(F_, K_);
    absorb_product(batch.Y, H, 0, weight_unit_, executor, exact_B_);
    float_B_.resize(std::size_t(F_ * K_));
    std::ranges::transform(exact_B_.reshaped(), float_B_.begin(),
                           [](double x) { return static_cast<float>(x); });
  }
}

template <class T>
void Increment<T>::add_scalars(const Batch<T>& batch) {
  values_[0] = double(batch.size());
  values_[4] = batch.converged ? 0 : 1;
  for (Index j = 0; j < batch.size(); ++j) {
    values_[1] += batch.weight[j];
    values_[2] += batch.weight[j] * batch.constant[j];
    values_[3] += batch.weight[j] * batch.loss[j];
  }
}

template <class T>
const Matrix<T>& Increment<T>::weighted(const Matrix<T>& H, const Batch<T>& batch) {
  if ((batch.weight.array() == 1).all()) return H;
  weighted_H_ = H * (batch.weight / weight_unit_).template cast<T>().asDiagonal();
  return weighted_H_;
}

// A ← A + Σ s hhᵀ, of which only one triangle is computed
template <class T>
void Increment<T>::add_outer(const Matrix<T>& H, const Batch<T>& batch,
                             Eigen::Ref<Matrix<double>> A) {
  const Matrix<T>* scaled = &H;
  if (!(batch.weight.array() == 1).all()) {
    weighted_H_ = H * (batch.weight / weight_unit_).cwiseSqrt().template cast<T>().asDiagonal();
    scaled = &weighted_H_;
  }
  product_.resize(H.rows(), H.rows());
  for (Index first = 0; first < H.cols(); first += samples_per_sum) {
    const Index n = std::min(samples_per_sum, H.cols() - first);
    blas::syrk(T(1), scaled->middleCols(first, n), T(0), product_);
    A += weight_unit_ * product_.template cast<double>();
  }
  A.template triangularView<Eigen::StrictlyUpper>() = A.transpose();
}

template <class T>
void Increment<T>::add_unsplit(const Batch<T>& batch, const Executor& executor) {
  unsplit_A_.setZero(K_, K_);
  add_outer(*batch.unsplit_H, batch, unsplit_A_);
  unsplit_B_.setZero(F_, K_);  // new memory may hold NaN, and 0·NaN is not 0
  absorb_product(*batch.unsplit_Y, weighted(*batch.unsplit_H, batch), 0, weight_unit_, executor,
                 unsplit_B_);
}

// |Σ s y h| is at most the root of Σ s y² · Σ s h², so these two tell about B.
template <class T>
bool Increment<T>::finite() const {
  const double energy = 2 * scalars()[2];
  const double codes = A().trace();
  const auto all_finite = [](const auto& numbers) {
    return std::ranges::all_of(numbers, [](auto x) { return std::isfinite(x); });
  };
  const std::span<const double> values(values_);
  return all_finite(values.first(histogram_begin())) && all_finite(values.subspan(B_begin())) &&
         std::isfinite(T(energy)) && std::isfinite(T(codes)) &&
         (wire_ != Wire::as_float || all_finite(float_B_));
}

// b_j ← keep·b_j + add_j·Δb_j
template <class T>
template <class Number>
void Increment<T>::absorb_B(const Number* B, double keep, const Executor& executor,
                            Matrix<double>& mean) const {
  constexpr Index entries = 1 << 16;  // per task: fewer are not worth sharing
  executor.for_each_block(F_ * K_, entries, [&](Index begin, Index end, int) {
    for (Index i = begin; i < end;) {
      const Index atom = i / F_;
      const double factor = add_B_[atom];
      for (const Index stop = std::min(end, (atom + 1) * F_); i < stop; ++i)
        mean.data()[i] = keep * mean.data()[i] + factor * double(B[i]);
    }
  });
}

template <class T>
void Increment<T>::absorb_into(Model<T>& model, const Batch<T>& batch, double beta,
                               const Executor& executor, const Vector<double>& scale) {
  const double old_weight = beta * model.weight;
  const double new_weight = old_weight + weight();
  if (!(new_weight > 0)) return;
  const double keep = old_weight / new_weight;
  if (!std::isfinite(1 / new_weight)) return;  // denormal: nothing that could be averaged
  const double add = 1 / new_weight;
  add_B_.setConstant(K_, add);
  if (scale.size() == 0) {
    model.A = keep * model.A + add * A();
  } else {
    model.A = keep * model.A + add * (scale.asDiagonal() * A() * scale.asDiagonal());
    add_B_.array() *= scale.array();
  }
  switch (wire_) {
    case Wire::none:
      absorb_product(batch.Y, weighted(batch.H, batch), keep, add * weight_unit_, executor,
                     model.B);
      break;
    case Wire::as_double:
      absorb_B(values_.data() + B_begin(), keep, executor, model.B);
      break;
    case Wire::as_float:
      absorb_B(float_B_.data(), keep, executor, model.B);
      break;
  }
  model.c = keep * model.c + add * scalars()[2];
  model.weight = new_weight;
}

template class Increment<float>;
template class Increment<double>;

}  // namespace tamis
