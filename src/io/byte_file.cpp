#include "io/byte_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tamis/error.hpp"

namespace tamis {
namespace {

int flags_of(ByteFile::Mode mode) {
  switch (mode) {
    case ByteFile::Mode::read:
      return O_RDONLY | O_NONBLOCK;  // a pipe that nobody writes to must not hold us up
    case ByteFile::Mode::create:
      return O_RDWR | O_CREAT | O_TRUNC;
    case ByteFile::Mode::change:
      return O_RDWR;
  }
  return O_RDONLY;
}

}  // namespace

ByteFile::ByteFile(std::string path, Mode mode)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), flags_of(mode) | O_CLOEXEC, 0666)) {  // NOLINT(*-vararg)
  if (file_ < 0) fail(mode == Mode::read ? "cannot be read" : "cannot be written");
  struct stat status {};
  if (mode == Mode::read && ::fstat(file_, &status) == 0 && S_ISFIFO(status.st_mode)) {
    ::close(file_);
    throw FileError(path_ + ": a pipe; it can be read as standard input, with the name -");
  }
}

ByteFile::~ByteFile() { ::close(file_); }

void ByteFile::fail(const char* what) const {
  throw FileError(fmt::format("{}: {}: {}", path_, what, std::strerror(errno)));
}

Index ByteFile::size() const {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail("cannot be read");
  return Index(status.st_size);
}

void ByteFile::read(std::span<std::byte> bytes, Index offset) const {
  while (!bytes.empty()) {
    const ssize_t n = ::pread(file_, bytes.data(), bytes.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot be read");
    if (n == 0) throw FileError(path_ + ": ends too early; it may have been cut short");
    bytes = bytes.subspan(std::size_t(n));
    offset += n;
  }
}

void ByteFile::write(std::span<const std::byte> bytes, Index offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file_, bytes.data(), bytes.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot be written");
    bytes = bytes.subspan(std::size_t(n));
    offset += n;
  }
}

bool ByteFile::lock_shared() const {
  return ::flock(file_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void ByteFile::resize(Index bytes) {
  if (::ftruncate(file_, bytes) != 0) fail("cannot be written");
}

void ByteFile::sync() {
  if (::fdatasync(file_) != 0) fail("cannot be written to the disk");
}

}  // namespace tamis
