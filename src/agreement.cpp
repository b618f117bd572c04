#include "agreement.hpp"

#include <algorithm>
#include <cstring>

namespace tamis {

// FNV-1a on words of 64 bits, folded
std::uint32_t digest(std::span<const std::byte> bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
    // A multiplication alone would never bring the word's upper bits down.
    hash = (hash ^ word ^ (word >> 32)) * prime;
    hash ^= hash >> 29;
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

void put_digest(std::uint32_t digest, std::span<double> bits) {
  for (std::size_t i = 0; i < agreement_bits; ++i) bits[i] = double((digest >> i) & 1U);
}

bool all_agree(std::span<const double> bit_sums, int ranks) {
  return std::ranges::all_of(bit_sums,
                             [&](double sum) { return sum == 0 || sum == double(ranks); });
}

}  // namespace tamis
