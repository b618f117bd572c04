#include "io/hdf5/cursor.hpp"

#include <algorithm>

namespace tamis::hdf5 {

Bytes Cursor::take(std::uint64_t bytes) {
  if (bytes > left_.size()) {
    fail();
    return {};
  }
  const Bytes taken = left_.first(bytes);
  left_ = left_.subspan(bytes);
  return taken;
}

std::uint64_t Cursor::number(std::size_t bytes) {
  const Bytes taken = take(bytes);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(taken.size(), 8); ++i)
    value |= std::to_integer<std::uint64_t>(taken[i]) << (8 * i);
  return value;
}

Bytes Cursor::text() {
  const auto zero = std::ranges::find(left_, std::byte(0));
  return take(std::uint64_t(zero - left_.begin()) + 1);
}

void Cursor::fail() {
  ok_ = false;
  left_ = {};
}

std::uint64_t nowhere(NumberSizes sizes) {
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(sizes.address, 8); ++i)
    address = address << 8 | 0xff;
  return address;
}

bool begins_with(Bytes bytes, std::string_view signature) {
  return bytes.size() >= signature.size() &&
         std::ranges::equal(bytes.first(signature.size()), std::as_bytes(std::span(signature)));
}

}  // namespace tamis::hdf5
