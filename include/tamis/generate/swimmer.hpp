// The Swimmer images (Donoho, Stodden 2003): a torso and four limbs, each in one of four positions.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Swimmer {
  Index height = 32;
  Index width = 32;
  Matrix<T> images;          // 1024×256, 0 or 1; pixel (row, column) is entry row·width + column
  Matrix<T> limbs;           // 1024×16, atom 4·limb + position
  std::vector<Index> torso;  // entries that are 1 in every image
};

// All 4⁴ figures; figure n has limb l in position ⌊n/4ˡ⌋ mod 4. No two limbs or positions share a
// pixel. The torso is in every image, so that no method can tell which atom it belongs to: leave
// its entries out when atoms are compared.
template <class T>
Swimmer<T> swimmer();

// `copies` of every column, in random order.
template <class T>
Matrix<T> replicate(ConstMatrixRef<T> V, Index copies, std::uint64_t seed = 0);

}  // namespace tamis
