#include "dictionary/stochastic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "encoder/row_tasks.hpp"
#include "kernels/simplex.hpp"
#include "random/random.hpp"
#include "tamis/error.hpp"

namespace tamis {

template <class T>
void StochasticUpdate<T>::remember(const Batch<T>& batch, const Rule& rule) {
  const Index F = batch.features();
  const Index K = batch.H.rows();
  if (V_.size() == 0) {
    V_.setZero(F, rule.buffer);
    H_.setZero(rule.buffer, K);
  }
  const bool fits = V_.rows() == F && V_.cols() == rule.buffer && H_.rows() == rule.buffer &&
                    H_.cols() == K && std::clamp<Index>(filled_, 0, rule.buffer) == filled_ &&
                    std::clamp<Index>(next_, 0, rule.buffer - 1) == next_;
  if (!fits) throw DataError("the saved buffer of samples does not belong to the model beside it");
  for (Index j = std::max<Index>(0, batch.size() - rule.buffer); j < batch.size(); ++j) {
    if (!(batch.weight[j] > 0)) continue;
    const T root = T(std::sqrt(batch.weight[j]));
    V_.col(next_) = root * batch.Y.col(j);
    H_.row(next_) = root * batch.H.col(j).transpose();
    next_ = (next_ + 1) % rule.buffer;
    filled_ = std::min(filled_ + 1, rule.buffer);
  }
}

template <class T>
double StochasticUpdate<T>::gradient_size(const Matrix<T>& W, const Executor& executor) {
  constexpr Index block = 48;  // samples per task: W is read once for all of them
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const kernels::Shrinkage<T> no_outliers{infinity, 1, -infinity, infinity};
  const RowTasks panels(W.rows(), W.cols() + 2 * block);
  slots_.resize(std::size_t(executor.slots()));
  sums_.assign(std::size_t(filled_), {});
  columns_.resize(std::size_t(filled_));
  std::iota(columns_.begin(), columns_.end(), Index(0));
  executor.for_each_block(filled_, block, [&](Index begin, Index end, int slot) {
    for (Index top = 0; top < W.rows(); top += panels.panel_rows()) {
      const Index rows = std::min(panels.panel_rows(), W.rows() - top);
      auto Y = slots_[std::size_t(slot)].Y.view(rows, end - begin);
      kernels::measured_product<T>(kernels::Panel<const T>(W.middleRows(top, rows)),
                                   kernels::Panel<const T>(H_.middleRows(begin, end - begin)),
                                   {kernels::Panel<const T>(V_.middleRows(top, rows)), {}, T(1)},
                                   columns_.data() + begin, no_outliers, kernels::Panel<T>(Y),
                                   sums_.data() + begin, nullptr);
    }
  });
  double sum = 0;
  for (Index j = 0; j < filled_; ++j) {
    sum += sums_[std::size_t(j)].fit * H_.row(j).template cast<double>().squaredNorm();
  }
  return std::sqrt(sum / double(filled_));
}

template <class T>
void StochasticUpdate<T>::update(const Rule& rule, std::uint64_t seed, Index number,
                                 const Executor& executor, Matrix<T>& W) {
  const Index F = W.rows();
  const Index K = W.cols();
  if (filled_ == 0) return;
  const double M = gradient_size(W, executor);
  const double D = std::sqrt(2 * double(K));
  const double longest = rule.theta * D / M;
  if (!std::isfinite(T(longest))) return;  // M = 0: nothing to improve

  constexpr T never = -1;
  constexpr Index entries = 1 << 16;  // per task: shorter ones are not worth sharing
  X_ = W;
  S_.setZero(F, K);
  counted_.setConstant(K, never);
  direction_.resize(F);
  RandomStream random(seed, Purpose::draws, 0, number);
  double s = 0;
  for (Index k = 1; k <= rule.steps; ++k) {
    const Index drawn = random.below(filled_);
    const T eta = T(longest / std::sqrt(double(k)));
    h_ = H_.row(drawn);
    // X ← P(X − η(Xh − v)hᵀ)
    executor.for_each_block(
        F, std::max(least_row_block, entries / K), [&](Index begin, Index end, int) {
          kernels::product<T>(kernels::Panel<const T>(X_.middleRows(begin, end - begin)),
                              kernels::Panel<const T>(h_.data(), 1, 1, K),
                              kernels::Panel<T>(direction_.data() + begin, F, end - begin, 1));
        });
    direction_ -= V_.col(drawn);
    executor.for_each_block(K, std::max<Index>(1, entries / F), [&](Index begin, Index end, int) {
      for (Index j = begin; j < end; ++j) {
        if (h_[j] == 0) continue;
        kernels::step_on_simplex(X_.col(j).data(), S_.col(j).data(), direction_.data(), F,
                                 T(s) - std::max(counted_[j], T(0)), eta * h_[j]);
        counted_[j] = T(s);
      }
    });
    s += double(eta);
  }
  for (Index j = 0; j < K; ++j) {
    if (counted_[j] == never) continue;
    W.col(j) = (S_.col(j) + (T(s) - counted_[j]) * X_.col(j)) / T(s);
  }
}

template class StochasticUpdate<float>;
template class StochasticUpdate<double>;

}  // namespace tamis
