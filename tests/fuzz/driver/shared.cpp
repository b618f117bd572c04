#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>

#include "fuzz/fuzz.hpp"

namespace tamis::fuzz {

std::vector<Harness>& harnesses() {
  static std::vector<Harness> all;
  return all;
}

Folder::Folder() : path_((std::filesystem::temp_directory_path() / "tamis-fuzz-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr) {
    std::perror(path_.c_str());
    std::abort();
  }
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, Bytes bytes) const {
  std::string file = path(name);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  return file;
}

void Folder::clear() const {
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    std::filesystem::remove_all(entry);
}

const Folder& folder() {
  static const Folder only;
  return only;
}

std::uint64_t Choices::word() {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | byte();
  return value;
}

std::uint64_t Choices::size() {
  switch (below(4)) {
    case 0:
      return below(8);
    case 1:
      return (std::uint64_t(1) << below(64)) + below(3) - 1;
    case 2:
      return std::numeric_limits<std::uint64_t>::max() - below(4);
    default:
      return word();
  }
}

double Choices::number() {
  switch (below(4)) {
    case 0:
      return double(byte()) / 255;
    case 1:
      return double(std::int64_t(word()));
    case 2:
      return std::numeric_limits<double>::infinity();
    default:
      return std::bit_cast<double>(word());
  }
}

std::string Choices::text() {
  std::string text;
  for (std::size_t n = byte(); n > 0 && more(); --n) text += char(byte());
  return text;
}

}  // namespace tamis::fuzz
