#include "tamis/io/matrix_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "random/random.hpp"
#include "tamis/error.hpp"

namespace tamis {

template <class T>
void MatrixSource<T>::check_weights() const {
  if (weights_.size() == V_.cols()) return;
  throw DataError(
      fmt::format("there are {} sample weights for {} samples", weights_.size(), V_.cols()));
}

template <class T>
void MatrixSource<T>::start(const Pass& pass) {
  next_ = pass.position;
  order_.clear();
  if (!pass.shuffle) return;
  // Fisher and Yates, from a stream that the epoch names
  order_.resize(std::size_t(V_.cols()));
  std::iota(order_.begin(), order_.end(), Index(0));
  RandomStream stream(pass.seed, Purpose::shuffle, pass.epoch);
  for (Index i = V_.cols() - 1; i > 0; --i)
    std::swap(order_[std::size_t(i)], order_[std::size_t(stream.below(i + 1))]);
}

template <class T>
bool MatrixSource<T>::read(Index most, SampleBlock<T>& block) {
  const Index n = std::min(most, V_.cols() - next_);
  if (n <= 0) return false;
  const auto sample = [&](Index j) {
    return order_.empty() ? next_ + j : order_[std::size_t(next_ + j)];
  };
  block.V.resize(V_.rows(), n);
  for (Index j = 0; j < n; ++j) block.V.col(j) = V_.col(sample(j));
  block.weights.resize(weights_.size() > 0 ? n : 0);
  for (Index j = 0; j < block.weights.size(); ++j) block.weights[j] = weights_[sample(j)];
  next_ += n;
  return true;
}

template class MatrixSource<float>;
template class MatrixSource<double>;

}  // namespace tamis
