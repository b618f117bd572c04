#include "io/image_list.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "io/image_file.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits at the beginning away, and gives them without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

bool is_image_file(const fs::path& path) {
  std::error_code ignored;
  const std::string name = path.filename().string();
  return !name.starts_with('.') && is_image_name(name) && fs::is_regular_file(path, ignored);
}

std::vector<std::string> in_folder(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (is_image_file(entry->path())) paths.push_back(entry->path().string());
  if (problem) throw FileError(fmt::format("{}: cannot be read: {}", folder, problem.message()));
  if (paths.empty()) throw FileError(fmt::format("{}: no images in it ({})", folder, image_kinds));
  return paths;
}

std::vector<std::string> of_pattern(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found{};
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
      if (is_image_file(found.gl_pathv[i])) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (paths.empty())
    throw FileError(fmt::format("{}: no images of such a name ({})", pattern, image_kinds));
  return paths;
}

std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
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

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[0] != b[0]) return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // 01 and 1
}

bool is_pattern(const std::string& name) {
  std::error_code ignored;
  return name.find_first_of("*?[") != name.npos && !fs::exists(name, ignored);
}

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
