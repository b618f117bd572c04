#include <algorithm>

#include "io/formats.hpp"
#include "io/hdf5.hpp"

namespace tamis {
namespace {

// Where the name of the file ends, in "file.h5" or "file.h5:/dataset"; 0 if it is none.
std::size_t file_length(std::string_view name) {
  for (std::size_t at = name.find(':'); at != std::string_view::npos; at = name.find(':', at + 1))
    if (has_ending(name.substr(0, at), {".h5", ".hdf5"})) return at;
  return has_ending(name, {".h5", ".hdf5"}) ? name.size() : 0;
}

}  // namespace

bool is_hdf5_name(const std::string& name) { return file_length(name) > 0; }

std::string file_of(const std::string& name) {
  return is_hdf5_name(name) ? split_hdf5_name(name).file : name;
}

Hdf5Name split_hdf5_name(const std::string& name) {
  const std::size_t end = file_length(name);
  std::string_view dataset = std::string_view(name).substr(end);
  dataset.remove_prefix(std::min(dataset.find_first_not_of(":/"), dataset.size()));
  while (dataset.ends_with('/')) dataset.remove_suffix(1);
  return {.file = name.substr(0, end), .dataset = std::string(dataset)};
}

}  // namespace tamis
