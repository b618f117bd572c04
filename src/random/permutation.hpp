// A random order of n things that takes no memory: number i is where (*this)(i) says.
#pragma once

#include <cstdint>

#include "random/random.hpp"
#include "tamis/types.hpp"

namespace tamis {

// A Feistel network (Luby, Rackoff 1988) with Philox as round function permutes the numbers of 2b
// bits; what falls beyond n is sent through again until it falls inside (cycle walking).
class Permutation {
 public:
  Permutation(Index n, std::uint64_t seed, Purpose purpose, Index epoch = 0);

  Index operator()(Index i) const;

 private:
  std::uint64_t encrypt(std::uint64_t x) const;

  Index n_;
  std::uint64_t seed_;
  std::uint32_t tag_;
  int half_bits_;
};

}  // namespace tamis
