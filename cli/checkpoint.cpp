#include "checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

std::string default_checkpoint(std::string out) {
  for (const std::string ending : {".h5", ".hdf5"})
    if (out.ends_with(ending)) out.resize(out.size() - ending.size());
  return out + ".checkpoint.h5";
}

}  // namespace

Checkpoint::Checkpoint(const std::string& asked, const std::string& out, const std::string& resumed,
                       bool force)
    : asked_for(!asked.empty()), path(asked_for ? asked : default_checkpoint(out)) {
  std::error_code ignored;
  there = fs::exists(path, ignored);
  const bool own = there && !resumed.empty() && fs::equivalent(path, resumed, ignored);
  if (there && !own && !force)
    throw FileError(path + ": a stopped run is kept there; go on with --resume " + path +
                    ", or replace it with --force");
}

void Checkpoint::clean_up(const std::string& resumed, bool saved_at_the_end) const {
  std::error_code ignored;
  if (asked_for || resumed.empty()) return;
  if (saved_at_the_end || fs::equivalent(path, resumed, ignored)) fs::remove(path, ignored);
}

std::string Checkpoint::free_path() const {
  std::string free = path;
  for (int i = 2; !asked_for && !there && fs::exists(free); ++i)
    free = fmt::format("{}.{}", path, i);
  return free;
}

}  // namespace tamis
