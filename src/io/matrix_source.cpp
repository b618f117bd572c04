#include "tamis/io/matrix_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "random/permutation.hpp"
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
  pass_ = pass;
  taken_ = 0;
}

template <class T>
bool MatrixSource<T>::read(Index most, SampleBlock<T>& block) {
  const Index ours = pass_.share.below(V_.cols() - pass_.position);
  const Index n = std::min(most, ours - taken_);
  if (n <= 0) return false;
  const auto position = [&](Index j) { return pass_.position + pass_.share.position(taken_ + j); };
  block.order.clear();
  if (pass_.shuffle) {
    const Permutation order(V_.cols(), pass_.seed, Purpose::shuffle, pass_.epoch);
    for (Index j = 0; j < n; ++j) block.order.push_back(order(position(j)));
  }
  const auto sample = [&](Index j) {
    return block.order.empty() ? position(j) : block.order[std::size_t(j)];
  };
  block.V.resize(V_.rows(), n);
  for (Index j = 0; j < n; ++j) block.V.col(j) = V_.col(sample(j));
  block.weights.resize(weights_.size() > 0 ? n : 0);
  for (Index j = 0; j < block.weights.size(); ++j) block.weights[j] = weights_[sample(j)];
  taken_ += n;
  return true;
}

template class MatrixSource<float>;
template class MatrixSource<double>;

}  // namespace tamis
