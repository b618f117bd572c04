#pragma once

#include <random>

#include "tamis/types.hpp"

namespace tamis::test {

// A matrix with about a third of its entries not zero, as samples: one column per row of the file.
inline Matrix<double> sparse_samples(Index columns, Index rows) {
  std::mt19937 random(1);
  Matrix<double> V(columns, rows);
  for (Index i = 0; i < V.size(); ++i)
    V.data()[i] = random() % 3 == 0 ? double(random() % 1000) / 8 : 0;
  return V;
}

}  // namespace tamis::test
