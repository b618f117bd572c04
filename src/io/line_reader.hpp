// The lines of a text file, one after the other, however large the file is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_file.hpp"
#include "tamis/types.hpp"

namespace tamis {

// A file of another kind may have no line ends at all: it must not be taken into memory whole.
inline constexpr Index longest_line = Index(1) << 28;

class LineReader {
 public:
  explicit LineReader(const std::string& path, Index longest = longest_line,
                      Index buffer = Index(1) << 18);

  // Without its end (LF or CRLF), valid until the next call; nothing at the end of the file. Throws
  // FileError.
  std::optional<std::string_view> next();
  // Of the line last read, counted from 1
  Index line() const { return line_; }

  // Where the next line begins, and going back there
  struct Place {
    Index offset = 0;
    Index line = 0;
  };
  Place place() const { return {offset_ + Index(begin_), line_}; }
  void go_to(Place place);

  const std::string& path() const { return path_; }
  Index bytes() const { return bytes_; }

  // "FILE: line 17" and what is wrong there
  [[noreturn]] void fail(std::string_view what) const;

 private:
  void fill();

  std::string path_;
  ByteFile file_;
  Index bytes_;
  Index longest_;
  std::vector<char> buffer_;
  Index offset_ = 0;  // of the buffer in the file
  std::size_t begin_ = 0, end_ = 0;
  Index line_ = 0;
};

}  // namespace tamis
