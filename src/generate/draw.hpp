// Random numbers of the generators, one stream per column, so that nothing depends on the order of
// drawing.
#pragma once

#include "random/permutation.hpp"
#include "random/random.hpp"
#include "tamis/types.hpp"

namespace tamis {

// What a stream of data is for; takes the place of the epoch in its key.
enum class DataPart : Index { dictionary, codes, columns, outliers, noise, shuffle };

inline RandomStream data_stream(std::uint64_t seed, DataPart part, Index column) {
  return {seed, Purpose::data, static_cast<Index>(part), column};
}

// A random order of n columns.
inline Permutation data_order(Index n, std::uint64_t seed, DataPart part) {
  return {n, seed, Purpose::data, static_cast<Index>(part)};
}

// entry(random) for every entry
template <class T, class Entry>
Matrix<T> draw(Index rows, Index columns, std::uint64_t seed, DataPart part, const Entry& entry) {
  Matrix<T> X(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    RandomStream random = data_stream(seed, part, j);
    for (Index i = 0; i < rows; ++i) X(i, j) = T(entry(random));
  }
  return X;
}

}  // namespace tamis
