// Texts of variable length are in collections ("GCOL"): after 16 bytes of header objects of 16
// bytes and their contents, the last of them (number 0) for what is free. The library adds up their
// sizes and never ends if one is 0.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "io/byte_file.hpp"
#include "io/hdf5.hpp"

namespace tamis {
namespace {

constexpr Index header_bytes = 16, block_bytes = Index(1) << 20;
constexpr std::string_view signature{"GCOL\1\0\0\0", 8};

std::uint64_t number(const char* bytes, int size) {
  std::uint64_t value = 0;
  for (int i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

// Do the sizes of its objects lead to its end? begin: of the collection in the file
bool comes_to_an_end(const ByteFile& file, Index begin) {
  std::vector<char> header(header_bytes);
  const auto read = [&](Index at) { file.read(std::as_writable_bytes(std::span(header)), at); };
  if (begin + header_bytes > file.size()) return true;  // which the library finds out by itself
  read(begin);
  const auto left = std::uint64_t(file.size() - begin);
  const std::uint64_t size = std::min(number(header.data() + 8, 8), left);
  for (std::uint64_t at = header_bytes; at + header_bytes <= size;) {
    read(begin + Index(at));
    const bool free = number(header.data(), 2) == 0;
    const std::uint64_t own = number(header.data() + 8, 8);
    if (free && own == 0) return false;
    if (own > size) return true;  // refused by the library
    at += free ? own : header_bytes + (own + 7) / 8 * 8;
  }
  return true;
}

}  // namespace

void check_heaps(const std::string& path) {
  const ByteFile file(path, ByteFile::Mode::read);
  std::vector<char> block;
  for (Index begin = 0; begin < file.size(); begin += block_bytes) {
    // So far into the next block that a signature across their border is found
    const Index end = std::min(file.size(), begin + block_bytes + Index(signature.size()) - 1);
    block.resize(std::size_t(end - begin));
    file.read(std::as_writable_bytes(std::span(block)), begin);
    const std::string_view text(block.data(), block.size());
    for (auto at = text.find(signature); at != text.npos; at = text.find(signature, at + 1))
      if (!comes_to_an_end(file, begin + Index(at)))
        throw FileError(path + ": damaged: the texts in it have no end");
  }
}

}  // namespace tamis
