#include "io/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tamis/error.hpp"

namespace tamis {

LineReader::LineReader(const std::string& path, Index longest, Index buffer)
    : path_(path),
      file_(path, ByteFile::Mode::read),
      bytes_(file_.size()),
      longest_(longest),
      buffer_(std::size_t(std::max<Index>(buffer, 1))) {}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = begin_;
  while (true) {
    const void* found = std::memchr(buffer_.data() + searched, '\n', end_ - searched);
    const std::size_t held = end_ - begin_;
    const bool ended = found == nullptr && offset_ + Index(end_) >= bytes_;
    if (ended && held == 0) return std::nullopt;
    if (found != nullptr || ended) {
      const char* const start = buffer_.data() + begin_;
      const std::size_t size = ended ? held : std::size_t(static_cast<const char*>(found) - start);
      begin_ += size + (ended ? 0 : 1);
      ++line_;
      std::string_view text(start, size);
      if (text.ends_with('\r')) text.remove_suffix(1);
      return text;
    }
    if (Index(held) > longest_) {
      ++line_;
      fail(fmt::format("is longer than {} bytes; is this a text file?", longest_));
    }
    searched = held;  // fill() moves what is held to the front
    fill();
  }
}

void LineReader::fill() {
  std::copy(buffer_.begin() + std::ptrdiff_t(begin_), buffer_.begin() + std::ptrdiff_t(end_),
            buffer_.begin());
  offset_ += Index(begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const Index left = bytes_ - offset_ - Index(end_);
  const std::size_t more = std::min(buffer_.size() - end_, std::size_t(left));
  file_.read(std::as_writable_bytes(std::span(buffer_).subspan(end_, more)), offset_ + Index(end_));
  end_ += more;
}

void LineReader::go_to(Place place) {
  offset_ = place.offset;
  begin_ = end_ = 0;
  line_ = place.line;
}

void LineReader::fail(std::string_view what) const {
  throw FileError(fmt::format("{}: line {} {}", path_, line_, what));
}

}  // namespace tamis
