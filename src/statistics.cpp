#include "statistics.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/blas.hpp"

namespace tamis {
namespace {

// Sums in single precision stay short: this many samples at most, then they are added up in double.
constexpr Index samples_per_sum = 512;

}  // namespace

template <class T>
void Increment<T>::resize(const Batch<T>& batch, bool count_residuals) {
  F_ = batch.V.rows();
  K_ = batch.H.rows();
  counts_residuals_ = count_residuals;
  const std::size_t pairs = batch.unsplit_H != nullptr ? 2 : 1;
  const std::size_t histogram = count_residuals ? ResidualHistogram::bins : 0;
  values_.assign(scalar_count + pairs * pair_size() + histogram, 0.0);
}

template <class T>
std::span<const double> Increment<T>::residual_counts() const {
  return std::span(values_).last(counts_residuals_ ? ResidualHistogram::bins : 0);
}

template <class T>
void Increment<T>::accumulate(const Batch<T>& batch, bool with_residuals,
                              const Executor& executor) {
  resize(batch, with_residuals);
  slots_.resize(std::size_t(executor.slots()));
  add_scalars(batch);
  add_products(batch.H, batch.Y, batch, 0, executor);
  if (batch.unsplit_H != nullptr)
    add_products(*batch.unsplit_H, *batch.unsplit_Y, batch, 1, executor);
  if (with_residuals) count_residuals(batch, executor);
}

template <class T>
void Increment<T>::add_scalars(const Batch<T>& batch) {
  values_[0] = double(batch.size());
  for (Index j = 0; j < batch.size(); ++j) {
    values_[1] += batch.weight[j];
    values_[2] += batch.weight[j] * batch.constant[j];
    values_[3] += batch.weight[j] * batch.loss[j];
  }
}

template <class T>
void Increment<T>::add_products(const Matrix<T>& H, const Matrix<T>& Y, const Batch<T>& batch,
                                std::size_t pair, const Executor& executor) {
  weighted_H_ = H * batch.weight.template cast<T>().asDiagonal();
  const auto add = [&](const auto& left, auto&& sum, Slot& slot) {
    for (Index begin = 0; begin < batch.size(); begin += samples_per_sum) {
      const Index n = std::min(samples_per_sum, batch.size() - begin);
      auto product = slot.product.view(sum.rows(), K_);
      blas::gemm('N', 'T', T(1), left.middleCols(begin, n), weighted_H_.middleCols(begin, n), T(0),
                 product);
      sum += product.template cast<double>();
    }
  };
  add(H, A(pair), slots_[0]);
  executor.for_each_block(F_, row_block, [&](Index begin, Index end, int slot) {
    add(Y.middleRows(begin, end - begin), B(pair).middleRows(begin, end - begin),
        slots_[std::size_t(slot)]);
  });
}

template <class T>
void Increment<T>::count_residuals(const Batch<T>& batch, const Executor& executor) {
  for (auto& slot : slots_) slot.histogram.clear();
  executor.for_each_block(batch.size(), column_block(batch.size()),
                          [&](Index begin, Index end, int slot) {
                            auto& mine = slots_[std::size_t(slot)];
                            for (Index j = begin; j < end; ++j) {
                              if (batch.weight[j] > 0)
                                mine.histogram.template add<T>(batch.V.col(j), batch.P.col(j));
                            }
                          });
  const auto totals = std::span(values_).last(ResidualHistogram::bins);
  for (const auto& slot : slots_) slot.histogram.add_to(totals);
}

template <class T>
void Increment<T>::absorb_into(Model<T>& model, double beta, const Executor& executor) const {
  const double old_weight = beta * model.weight;
  const double new_weight = old_weight + weight();
  if (!(new_weight > 0)) return;
  const double keep = old_weight / new_weight;
  if (!std::isfinite(1 / new_weight)) return;  // denormal: nothing that could be averaged
  const double add = 1 / new_weight;
  model.A = keep * model.A + add * A();
  executor.for_each_block(F_, row_block, [&](Index begin, Index end, int) {
    auto B_rows = model.B.middleRows(begin, end - begin);
    B_rows = keep * B_rows + add * B().middleRows(begin, end - begin);
  });
  model.c = keep * model.c + add * scalars()[2];
  model.weight = new_weight;
}

template class Increment<float>;
template class Increment<double>;

}  // namespace tamis
