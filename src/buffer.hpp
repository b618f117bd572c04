// Scratch memory that is kept: a view of any shape, and an allocation only when it has to grow.
#pragma once

#include <hwy/aligned_allocator.h>

#include <new>

#include "tamis/types.hpp"

namespace tamis {

// Two threads that write to the same line of memory wait for each other; lines come in pairs.
inline constexpr std::size_t apart = 128;

// Begins and ends `apart` from everything else.
template <class T>
class Buffer {
 public:
  using View = Eigen::Map<Matrix<T>, Eigen::AlignedMax>;
  using ColumnView = Eigen::Map<Vector<T>, Eigen::AlignedMax>;

  Buffer() = default;
  // What is in it is scratch: a copy begins with its own.
  Buffer(const Buffer&) : Buffer() {}
  Buffer& operator=(const Buffer&) { return *this; }
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&&) noexcept = default;
  ~Buffer() = default;

  // What was in the buffer before is lost.
  View view(Index rows, Index cols) {
    reserve(rows * cols);
    return {storage_.get(), rows, cols};
  }
  ColumnView view(Index size) {
    reserve(size);
    return {storage_.get(), size};
  }

 private:
  void reserve(Index size) {
    if (size <= capacity_) return;
    constexpr Index line = apart / sizeof(T);
    capacity_ = (size + line - 1) / line * line;
    storage_ = hwy::AllocateAligned<T>(std::size_t(capacity_));
    if (!storage_) throw std::bad_alloc();
  }

  Index capacity_ = 0;
  hwy::AlignedFreeUniquePtr<T[]> storage_;
};

}  // namespace tamis
