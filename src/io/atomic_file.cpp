#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tamis/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

void sync(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  if (file < 0) fail(path, "cannot be opened");
  const int failed = ::fsync(file);
  ::close(file);
  if (failed != 0) fail(path, "cannot be written to the disk");
}

}  // namespace

void write_atomically(const std::string& path,
                      const std::function<void(const std::string&)>& write) {
  const std::filesystem::path target(path);
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  // The process number keeps two processes that write the same file apart.
  const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
  try {
    write(temporary);
    sync(temporary, O_RDONLY);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
    sync(folder.string(), O_RDONLY | O_DIRECTORY);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace tamis
