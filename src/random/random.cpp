#include "random/random.hpp"

#include <cmath>

namespace tamis {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

// An epoch number above 2²⁸ would wrap around harmlessly.
std::uint32_t purpose_tag(Purpose purpose, Index epoch) {
  return (static_cast<std::uint32_t>(purpose) << 28) ^ low(std::uint64_t(epoch));
}

// The counter holds (block, purpose and epoch, index).
RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, Index epoch, Index index)
    : key_{{low(seed), high(seed)}},
      counter_{{0, purpose_tag(purpose, epoch), low(std::uint64_t(index)),
                high(std::uint64_t(index))}} {}

std::uint64_t RandomStream::next() {
  if (used_ == 4) {
    block_ = Generator()(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  const std::uint64_t bits =
      (std::uint64_t(block_[std::size_t(used_)]) << 32) | block_[std::size_t(used_) + 1];
  used_ += 2;
  return bits;
}

double RandomStream::uniform() {
  // 52 random bits, moved to the middle of their interval so that neither 0 nor 1 comes out.
  return (double(next() >> 12) + 0.5) * 0x1p-52;
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  // Box and Muller (1958)
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Index RandomStream::below(Index n) {
  // The bias of a 64-bit number modulo n is below 2⁻⁴⁰ for any n that fits in memory.
  return Index(next() % std::uint64_t(n));
}

}  // namespace tamis
