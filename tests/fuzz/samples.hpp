// What must hold of every reader of samples, whatever it reads.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "io/formats.hpp"
#include "tamis/io/reader.hpp"

namespace tamis::fuzz {

constexpr Index most_entries = Index(1) << 22;  // beyond that callers would take the memory
constexpr Index most_blocks = 40;

// Equal bits: NaN is the same as itself.
template <class T>
bool same(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(T)) == 0);
}

// The next samples, with everything that was not written left at `filling`
template <class T>
Matrix<T> next_block(Reader<T>& reader, Index wanted, T filling) {
  Matrix<T> V = Matrix<T>::Constant(reader.format().features(), wanted, filling);
  const Index n = reader.read(V);
  require(n >= 0 && n <= wanted, "no more samples come than were asked for");
  return V.leftCols(n);
}

inline void check_format(const SampleFormat& format) {
  require(!format.shape.empty(), "a sample has a shape");
  require(std::ranges::all_of(format.shape, [](Index n) { return n >= 1; }), "… of no zeros");
  require(format.features() >= 1 && format.features() <= most_features, "… of possible size");
  require(format.unit > 0 && format.unit <= 65535, "a unit is that of a type");
}

// All samples (of at most so many blocks and entries), and whether those were all
template <class T>
Matrix<T> read_through(Reader<T>& reader, T filling, bool& complete) {
  constexpr Index at_once = 3;
  Matrix<T> V(reader.format().features(), 0);
  complete = false;
  for (Index i = 0; i < most_blocks && !complete && V.size() < most_entries; ++i) {
    const Matrix<T> block = next_block(reader, at_once, filling);
    complete = block.cols() < at_once;
    V.conservativeResize(Eigen::NoChange, V.cols() + block.cols());
    V.rightCols(block.cols()) = block;
  }
  return V;
}

template <class T>
void check_values(const SampleFormat& format, const Matrix<T>& V) {
  if (format.unit == 1) return;
  require((V.array() >= T(0)).all() && (V.array() <= T(1)).all(),
          "integers are between 0 and 1 after division");
}

// Through another access to the same samples
template <class T>
void check_access(Reader<T>& reader, const Matrix<T>& V) {
  if (V.cols() == 0 || reader.access() == Access::once) return;
  const Index last = reader.access() == Access::random ? V.cols() - 1 : 0;
  for (const Index sample : {last, Index(0)}) {
    reader.seek(sample);
    require(same<T>(next_block(reader, 1, T(0.5)), V.col(sample)), "a sample stays what it was");
  }
}

template <class T>
Matrix<T> check_samples(const std::string& input, const OpenOptions& options = {}) {
  const auto reader = open_reader<T>(input, options);
  check_format(reader->format());
  if (reader->format().features() > most_entries / 3) return {};
  bool complete = false;
  Matrix<T> V = read_through<T>(*reader, T(0), complete);
  check_values<T>(reader->format(), V);
  if (const auto n = reader->samples(); n && complete)
    require(*n == V.cols(), "there are as many samples as announced");
  if (reader->access() == Access::once) return V;
  check_access<T>(*reader, V);
  const auto again = open_reader<T>(input, options);
  require(same<T>(read_through<T>(*again, T(1), complete), V), "every entry is read");
  return V;
}

// In both precisions; whether it was read in any
inline bool check_input(const std::string& input, const OpenOptions& options = {}) {
  const bool in_double = accepted([&] { check_samples<double>(input, options); });
  const bool in_float = accepted([&] { check_samples<float>(input, options); });
  // What is too large for a float may be refused.
  require(in_double || !in_float, "what is read as float is also read as double");
  return in_double;
}

}  // namespace tamis::fuzz
