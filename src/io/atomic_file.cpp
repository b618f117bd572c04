#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <vector>

#include "tamis/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

// What write_atomically calls its file: the number keeps two processes that write the same one
// apart.
std::string temporary_name(const std::string& path, const std::string& process) {
  return fmt::format("{}.{}.part", path, process);
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

void remove_abandoned(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  std::vector<std::filesystem::path> abandoned;
  std::error_code problem;
  for (std::filesystem::directory_iterator entry(folder_of(path), problem), end;
       !problem && entry != end; entry.increment(problem)) {
    const std::string found = entry->path().filename().string();
    if (!found.starts_with(name + ".")) continue;
    const char* const begin = found.data() + name.size() + 1;
    pid_t process = 0;
    const auto [stop, wrong] = std::from_chars(begin, found.data() + found.size(), process);
    const bool ours = wrong == std::errc() && process > 0 &&
                      found == temporary_name(name, std::string(begin, stop));
    if (ours && is_gone(process)) abandoned.push_back(entry->path());
  }
  for (const auto& file : abandoned) std::filesystem::remove(file, problem);
}

void sync_to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  if (file < 0) fail(path, "cannot be opened");
  const int failed = ::fsync(file);
  ::close(file);
  if (failed != 0) fail(path, "cannot be written to the disk");
}

void sync_names(const std::string& path) {
  const std::string folder = folder_of(path);
  const int file = ::open(folder.c_str(), O_RDONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  if (file < 0 && errno == EACCES) return;            // a folder may be for writing only
  if (file < 0) fail(folder, "cannot be opened");
  const int failed = ::fsync(file) != 0 ? errno : 0;
  ::close(file);
  errno = failed;
  const bool cannot = failed == EINVAL || failed == ENOTSUP || failed == ENOSYS;
  if (failed != 0 && !cannot) fail(folder, "cannot be written to the disk");
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

void write_atomically(const std::string& path,
                      const std::function<void(const std::string&)>& write) {
  const std::string temporary = temporary_name(path, std::to_string(::getpid()));
  try {
    write(temporary);
    sync_to_disk(temporary);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
    sync_names(path);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace tamis
