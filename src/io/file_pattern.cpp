#include "io/file_pattern.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>

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
  return name.find_first_of("*?[") != std::string::npos && !fs::exists(name, ignored);
}

bool is_plain_file(const std::string& path) {
  std::error_code ignored;
  return !fs::path(path).filename().string().starts_with('.') && fs::is_regular_file(path, ignored);
}

std::vector<std::string> files_of_pattern(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found{};
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
      if (is_plain_file(found.gl_pathv[i])) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  std::ranges::sort(paths, natural_less);
  return paths;
}

}  // namespace tamis
