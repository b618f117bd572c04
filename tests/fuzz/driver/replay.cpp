// All harnesses over files: replay FOLDER runs each over every file of FOLDER/NAME.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/fuzz.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::uint8_t> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return {text.begin(), text.end()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int without = 0;
  for (const tamis::fuzz::Harness& harness : tamis::fuzz::harnesses()) {
    const auto files = files_of(fs::path(argv[1]) / harness.name);
    for (const fs::path& file : files) {
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);  // in case it is the last thing heard
      harness.run(bytes_of(file));
    }
    if (files.empty()) {
      std::printf("%s has no seeds\n", harness.name);
      ++without;
    }
  }
  return without;
}
