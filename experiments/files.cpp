#include "experiments/files.hpp"

#include <fmt/format.h>

#include <fstream>

#include "io/atomic_file.hpp"
#include "tamis/error.hpp"

namespace tamis::experiments {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw FileError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_atomically(path.string(), [&](const std::string& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file)
      throw FileError(path.string() +
                      ": cannot be written: is the folder writable, is the disk full?");
  });
}

void write_json(const std::filesystem::path& path, const Json& json) {
  write_text(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<Json> read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  Json json = Json::parse(file, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

}  // namespace tamis::experiments
