#include "io/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "io/atomic_file.hpp"
#include "io/formats.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

bool there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string part_name(const std::string& path, bool keep_ending) {
  if (!keep_ending) return path + ".part";
  return fs::path(path).replace_extension(".part").concat(fs::path(path).extension().string());
}

// All that any writer may call it until it is complete
std::array<std::string, 3> part_names(const std::string& file) {
  return {part_name(file, false), part_name(file, true), part_name(rows_name(file), false)};
}

enum class Renamed { done, taken, failed, cannot };

// Renames as only Linux can; cannot: neither can this file system.
Renamed rename_with(unsigned flag, const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flag) == 0) return Renamed::done;
  if (errno == EEXIST) return Renamed::taken;
  const bool unknown = errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
  return unknown ? Renamed::cannot : Renamed::failed;
}

Renamed rename_plainly(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? Renamed::done : Renamed::failed;
}

// Nothing that has the name already is lost.
Renamed take_free_name(const std::string& from, const std::string& to) {
  const Renamed renamed = rename_with(RENAME_NOREPLACE, from, to);
  if (renamed != Renamed::cannot) return renamed;
  return there(to) ? Renamed::taken : rename_plainly(from, to);
}

// A folder cannot be renamed to one that has files. Whoever makes folders has looked at them.
Renamed replace_folder(const std::string& from, const std::string& to) {
  std::error_code ignored;
  Renamed renamed = rename_with(RENAME_EXCHANGE, from, to);
  if (renamed == Renamed::done) fs::remove_all(from, ignored);
  if (renamed != Renamed::cannot) return renamed;
  const std::string old = to + ".old.part";
  fs::rename(to, old, ignored);
  renamed = rename_plainly(from, to);
  if (renamed == Renamed::done) fs::remove_all(old, ignored);
  return renamed;
}

}  // namespace

void check_target(const std::string& path, bool force) {
  if (!force && there(path)) throw FileError(path + ": exists already; --force replaces it");
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !is_folder(folder))
    throw FileError(fmt::format("{}: there is no folder {}", path, folder.string()));
  if (::access(folder_of(path).c_str(), W_OK) != 0)
    throw FileError(fmt::format("{}: the folder {} cannot be written to", path, folder_of(path)));
}

bool was_published(const std::string& path) {
  const std::string file = without_slashes(file_of(path));
  return there(file) && std::ranges::none_of(part_names(file), there);
}

void remove_unfinished(const std::string& path) {
  std::error_code ignored;
  for (const std::string& part : part_names(without_slashes(file_of(path))))
    fs::remove_all(part, ignored);
}

PartFile::PartFile(std::string path, bool force, bool keep_ending)
    : path_(without_slashes(std::move(path))), part_(part_name(path_, keep_ending)), force_(force) {
  check_target(path_, force);
}

PartFile::~PartFile() {
  std::error_code ignored;
  if (begun_ && !keep_ && !published_) fs::remove_all(part_, ignored);
}

void PartFile::keep() {
  // What is on the disk is of no use without its name.
  if (!keep_ && begun_before()) sync_names(part_);
  keep_ = true;
}

bool PartFile::begun_before() const { return there(part_); }

void PartFile::publish() {
  sync_to_disk(part_);
  const bool folders = is_folder(part_) && is_folder(path_);
  const Renamed renamed = !force_   ? take_free_name(part_, path_)
                          : folders ? replace_folder(part_, path_)
                                    : rename_plainly(part_, path_);
  if (renamed == Renamed::taken) {
    keep_ = true;
    throw FileError(fmt::format("{}: appeared meanwhile; the result is in {}", path_, part_));
  }
  if (renamed == Renamed::failed)
    throw FileError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  published_ = true;
  sync_names(path_);
}

}  // namespace tamis
