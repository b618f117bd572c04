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

}  // namespace

void sync_to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  if (file < 0) fail(path, "cannot be opened");
  const int failed = ::fsync(file);
  ::close(file);
  if (failed != 0) fail(path, "cannot be written to the disk");
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

void write_atomically(const std::string& path,
                      const std::function<void(const std::string&)>& write) {
  // The process number keeps two processes that write the same file apart.
  const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
  try {
    write(temporary);
    sync_to_disk(temporary);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
    sync_to_disk(folder_of(path));
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace tamis
