#include "random/permutation.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tamis {
namespace {

constexpr std::uint32_t rounds =
    6;  // 4 make it hard to tell from random for large n; small n need more

}  // namespace

Permutation::Permutation(Index n, std::uint64_t seed, Purpose purpose, Index epoch)
    : n_(n),
      seed_(seed),
      tag_(purpose_tag(purpose, epoch)),
      half_bits_((int(std::bit_width(std::uint64_t(std::max<Index>(n, 2) - 1))) + 1) / 2) {}

Index Permutation::operator()(Index i) const {
  assert(i >= 0 && i < n_);
  auto x = std::uint64_t(i);
  do x = encrypt(x);
  while (x >= std::uint64_t(n_));
  return Index(x);
}

std::uint64_t Permutation::encrypt(std::uint64_t x) const {
  using Philox = r123::Philox4x32;
  const std::uint64_t mask = (std::uint64_t(1) << half_bits_) - 1;
  const Philox::key_type key{{std::uint32_t(seed_), std::uint32_t(seed_ >> 32)}};
  std::uint64_t left = x >> half_bits_, right = x & mask;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    // The top bit keeps these counters apart from those of the streams.
    const Philox::ctr_type counter{
        {round | 0x80000000u, tag_, std::uint32_t(right), std::uint32_t(right >> 32)}};
    const auto random = Philox()(counter, key);
    const std::uint64_t bits = (std::uint64_t(random[0]) << 32) | random[1];
    const std::uint64_t mixed = left ^ (bits & mask);
    left = right;
    right = mixed;
  }
  return (left << half_bits_) | right;
}

}  // namespace tamis
