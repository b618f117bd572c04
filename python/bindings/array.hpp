// A NumPy array of samples, (n, F), as the library sees it: columns of F entries, left where they
// are. C order is the library's own layout; any other is gathered mini-batch by mini-batch.
#pragma once

#include <pybind11/numpy.h>

#include <memory>

#include "tamis/io/reader.hpp"
#include "tamis/types.hpp"

namespace tamis::python {

// The entries of an array that someone else keeps alive
struct SampleArray {
  // Throws py::type_error for entries that are not uint8, uint16, float32 or float64.
  explicit SampleArray(const pybind11::array& array);

  const std::byte* data;
  ElementType type;
  double unit;  // entries are divided by it to compute with, and results multiplied by it
  Index samples, features;
  Index sample_step, feature_step;  // in entries

  // Whether the samples are columns of T that can be used in place
  template <class T>
  bool in_place() const;
  template <class T>
  Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>> columns() const;

  // Fills V with the samples from `first` on, divided by unit.
  template <class T>
  void read(Index first, MatrixRef<T> V) const;
  void read_bytes(Index first, MatrixRef<std::uint8_t> V) const;  // of type u8 only
};

template <class T>
std::unique_ptr<Reader<T>> make_reader(const SampleArray& array);

// A new (n, rows) array, and its memory as a rows×n matrix
template <class T>
class Output {
 public:
  Output(Index n, Index rows) : array_({n, rows}), data_(array_.mutable_data()), rows_(rows) {}

  // May be used without the GIL.
  void write(Index first, ConstMatrixRef<T> block, double unit) {
    Eigen::Map<Matrix<T>> target(data_ + first * rows_, rows_, block.cols());
    if (unit == 1) {
      target = block;
    } else {
      target = block * T(unit);
    }
  }
  pybind11::array_t<T> array() const { return array_; }

 private:
  pybind11::array_t<T> array_;
  T* data_;
  Index rows_;
};

}  // namespace tamis::python
