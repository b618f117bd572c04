#include "io/part_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "io/atomic_file.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;

void check_target(const std::string& path, bool force) {
  std::error_code ignored;
  if (!force && fs::exists(path, ignored))
    throw FileError(path + ": exists already; --force replaces it");
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw FileError(fmt::format("{}: there is no folder {}", path, folder.string()));
  if (::access(folder_of(path).c_str(), W_OK) != 0)
    throw FileError(fmt::format("{}: the folder {} cannot be written to", path, folder_of(path)));
}

PartFile::PartFile(std::string path, bool force, bool keep_ending)
    : path_(std::move(path)), force_(force) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  part_ = path_ + ".part";
  if (keep_ending)
    part_ = fs::path(path_).replace_extension(".part").concat(fs::path(path_).extension().string());
  check_target(path_, force);
}

PartFile::~PartFile() {
  std::error_code ignored;
  if (begun_ && !keep_ && !published_) fs::remove_all(part_, ignored);
}

void PartFile::publish() {
  std::error_code ignored;
  sync_to_disk(part_);
  if (!force_ && fs::exists(path_, ignored)) {
    keep_ = true;
    throw FileError(fmt::format("{}: appeared meanwhile; the result is in {}", path_, part_));
  }
  // A folder cannot be renamed to one that has files. Whoever makes folders has looked at them.
  const std::string old = path_ + ".old.part";
  const bool aside = fs::is_directory(part_, ignored) && fs::is_directory(path_, ignored);
  if (aside) fs::rename(path_, old, ignored);
  if (std::rename(part_.c_str(), path_.c_str()) != 0)
    throw FileError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  published_ = true;
  if (aside) fs::remove_all(old, ignored);
  sync_to_disk(folder_of(path_));
}

}  // namespace tamis
