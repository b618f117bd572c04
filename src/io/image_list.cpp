#include "io/image_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "io/image_file.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

bool is_image_file(const std::string& path) {
  return is_image_name(fs::path(path).filename().string()) && is_plain_file(path);
}

std::vector<std::string> in_folder(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (is_image_file(entry->path().string())) paths.push_back(entry->path().string());
  if (problem) throw FileError(fmt::format("{}: cannot be read: {}", folder, problem.message()));
  if (paths.empty()) throw FileError(fmt::format("{}: no images in it ({})", folder, image_kinds));
  return paths;
}

std::vector<std::string> of_pattern(const std::string& pattern) {
  std::vector<std::string> paths = files_of_pattern(pattern);
  std::erase_if(paths, [](const std::string& path) { return !is_image_file(path); });
  if (paths.empty())
    throw FileError(fmt::format("{}: no images of such a name ({})", pattern, image_kinds));
  return paths;
}

std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) names.push_back(fs::path(path).filename().string());
  if (std::set(names.begin(), names.end()).size() == names.size()) return names;
  // The same name in several folders: what is written under it must stay apart.
  for (std::size_t i = 0; i < paths.size(); ++i) {
    names[i] = fs::path(paths[i]).relative_path().string();
    std::ranges::replace(names[i], '/', '_');
  }
  return names;
}

}  // namespace

ImageList list_images(const std::string& input) {
  std::error_code ignored;
  ImageList list;
  if (fs::is_directory(input, ignored)) {
    list.paths = in_folder(input);
  } else if (is_pattern(input)) {
    list.paths = of_pattern(input);
  } else {
    list.paths = {input};
  }
  std::ranges::sort(list.paths, natural_less);
  list.names = names_of(list.paths);
  return list;
}

}  // namespace tamis
