#include "kept.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/atomic_file.hpp"
#include "io/file_pattern.hpp"
#include "io/formats.hpp"
#include "io/image_file.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

bool same(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored);
}

bool holds(const fs::path& folder, const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return false;
  fs::path above = fs::canonical(file, ignored).parent_path();
  for (; above.has_relative_path(); above = above.parent_path())
    if (same(folder, above)) return true;
  return false;
}

// Those that a name stands for
std::vector<std::string> files_of(const std::string& input) {
  if (is_pattern(file_of(input))) return files_of_pattern(file_of(input));
  return {file_of(input)};
}

// Of a folder the images are read.
bool is_read(const std::string& output, const std::string& input) {
  for (const std::string& file : files_of(input))
    if (same(output, file) || holds(output, file)) return true;
  std::error_code ignored;
  return is_image_name(output) && fs::exists(output, ignored) && same(folder_of(output), input);
}

}  // namespace

void check_kept(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    if (output.empty() || output == "-") continue;
    const std::string file = file_of(output);
    for (const std::string& input : inputs)
      if (!input.empty() && is_read(file, input))
        throw SettingsError(
            fmt::format("{}: is read, so it cannot be written, even with --force", file));
  }
}

}  // namespace tamis
