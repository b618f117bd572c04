// Bytes of a file at any place.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tamis/types.hpp"

namespace tamis {

class ByteFile {
 public:
  enum class Mode { read, create, change };

  // All throw FileError naming the file.
  ByteFile(std::string path, Mode mode);
  ~ByteFile();
  ByteFile(const ByteFile&) = delete;
  ByteFile& operator=(const ByteFile&) = delete;

  Index size() const;
  void read(std::span<std::byte> bytes, Index offset) const;  // all of them
  void write(std::span<const std::byte> bytes, Index offset);
  void resize(Index bytes);
  bool lock_shared() const;  // false: somebody writes to it
  void sync();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int file_;
};

}  // namespace tamis
