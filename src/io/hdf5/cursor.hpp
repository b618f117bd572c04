// Numbers and bytes from the blocks of an HDF5 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace tamis::hdf5 {

using Bytes = std::span<const std::byte>;

// Bytes of each address and of each length in a file
struct NumberSizes {
  std::size_t address = 0;
  std::size_t length = 0;
};

struct Place {
  NumberSizes sizes;
  std::uint64_t base = 0;  // where addresses count from
};

// Takes from the front. Who asks for more than is left gets zeros, and it is remembered.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : left_(bytes) {}

  std::uint64_t number(std::size_t bytes);  // the lowest byte first; the lowest 64 bits of it
  Bytes take(std::uint64_t bytes);
  Bytes text();  // up to the next zero, and with it
  void skip(std::uint64_t bytes) { take(bytes); }
  void fail();

  bool ok() const { return ok_; }
  Bytes left() const { return left_; }

 private:
  Bytes left_;
  bool ok_ = true;
};

// So many bytes from there on; none if the file does not have them.
using Read = std::function<std::vector<std::byte>(std::uint64_t at, std::uint64_t bytes)>;

// An address that stands for none: all bits are set.
std::uint64_t nowhere(NumberSizes sizes);

bool begins_with(Bytes bytes, std::string_view signature);

}  // namespace tamis::hdf5
