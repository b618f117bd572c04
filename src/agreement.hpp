// Do all ranks have the same bits? Each bit of a digest travels as a number of its own: its sum
// over the ranks is 0 or their number if they agree, whatever that number is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tamis {

inline constexpr std::size_t agreement_bits = 32;

std::uint32_t digest(std::span<const std::byte> bytes);

// `bits` has agreement_bits numbers.
void put_digest(std::uint32_t digest, std::span<double> bits);
bool all_agree(std::span<const double> bit_sums, int ranks);

}  // namespace tamis
