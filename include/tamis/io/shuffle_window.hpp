// Shuffles a stream as well as a bounded memory allows: each sample is drawn from a window that is
// refilled from the stream.
#pragma once

#include <algorithm>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

template <class T>
class ShuffleWindow {
 public:
  // Fills the window: next(V) reads the next samples into the columns of V and returns how many.
  template <class Next>
  void fill(Index F, Index size, Next&& next) {
    samples_.resize(F, size);
    Index n = 0, more = 1;
    while (n < size && more > 0) n += more = next(samples_.rightCols(size - n));
    numbers_.resize(std::size_t(n));
    for (Index j = 0; j < n; ++j) numbers_[std::size_t(j)] = j;
    read_ = n;
  }

  Index size() const { return Index(numbers_.size()); }

  // Moves the sample at `place` to v, puts the next of the stream in its place, and returns the
  // number it had in the stream.
  template <class Next>
  Index draw(Index place, VectorRef<T> v, Next&& next) {
    v = samples_.col(place);
    const Index number = numbers_[std::size_t(place)];
    if (next(samples_.middleCols(place, 1)) > 0) {
      numbers_[std::size_t(place)] = read_++;
    } else {
      samples_.col(place) = samples_.col(size() - 1);
      numbers_[std::size_t(place)] = numbers_.back();
      numbers_.pop_back();
    }
    return number;
  }

 private:
  Matrix<T> samples_;
  std::vector<Index> numbers_;  // in the stream, of the samples in the window
  Index read_ = 0;
};

}  // namespace tamis
