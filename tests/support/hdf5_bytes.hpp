// Bytes of HDF5 files, written by hand from the description of the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/hdf5/cursor.hpp"

namespace tamis::test {

inline hdf5::Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// The lowest byte first
inline std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += char(value & 0xff);
  return text;
}
inline std::string zeros(int n) {
  std::string text;
  text.resize(std::size_t(n));
  return text;
}

// A file that has only this
inline hdf5::Read only(const std::string& file) {
  return [file](std::uint64_t at, std::uint64_t bytes) {
    if (at > file.size() || bytes > file.size() - at) return std::vector<std::byte>();
    const auto found = bytes_of(file).subspan(at, bytes);
    return std::vector<std::byte>(found.begin(), found.end());
  };
}

// In most files
inline constexpr hdf5::Place usual_place{.sizes = {.address = 8, .length = 8}, .base = 0};

}  // namespace tamis::test
