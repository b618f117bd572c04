// Scratch memory that is kept: a view of any shape, and an allocation only when it has to grow.
#pragma once

#include "tamis/types.hpp"

namespace tamis {

template <class T>
class Buffer {
 public:
  using View = Eigen::Map<Matrix<T>, Eigen::AlignedMax>;
  using ColumnView = Eigen::Map<Vector<T>, Eigen::AlignedMax>;

  // What was in the buffer before is lost.
  View view(Index rows, Index cols) {
    reserve(rows * cols);
    return {storage_.data(), rows, cols};
  }
  ColumnView view(Index size) {
    reserve(size);
    return {storage_.data(), size};
  }

 private:
  void reserve(Index size) {
    if (storage_.size() < size) storage_.resize(size);
  }

  Vector<T> storage_;
};

}  // namespace tamis
