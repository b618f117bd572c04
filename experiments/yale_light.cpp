// Where the light came from in the images of Yale B: a table beside the .npy file, azimuth and
// elevation per image, or the names of the files, yaleB02_P00A-035E+15.pgm.
#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "experiments/data_sets.hpp"
#include "tamis/error.hpp"
#include "tamis/io/reader.hpp"

namespace tamis::experiments {
namespace {

std::vector<Light> from_names(const Images& images) {
  static const std::regex angles("A([+-][0-9]+)E([+-][0-9]+)");
  std::vector<Light> lights;
  for (const std::string& name : images.names) {
    std::smatch found;
    if (!std::regex_search(name, found, angles))
      throw DataError(fmt::format(
          "{}: the name of image {} does not tell where the light is, as yaleB02_P00A-035E+15.pgm "
          "does",
          images.path, name));
    lights.push_back({std::stod(found[1]), std::stod(found[2])});
  }
  return lights;
}

// The table has a line per image of the file, of which some may have been left out.
std::vector<Light> from_table(const std::string& table, Index images) {
  const auto reader = open_reader<double>(table);
  const auto lines = reader->samples();
  Matrix<double> angles(reader->format().features(), lines.value_or(4096));
  const Index n = reader->read(angles);
  if (angles.rows() != 2 || n < images)
    throw DataError(
        fmt::format("{}: needs azimuth and elevation, in degrees, of {} images", table, images));
  std::vector<Light> lights;
  for (Index i = 0; i < images; ++i) {
    const Index line = i * n / images;
    lights.push_back({angles(0, line), angles(1, line)});
  }
  return lights;
}

}  // namespace

std::vector<Light> DataSets::lights(const std::string& name) {
  const Images& found = images(name);
  std::filesystem::path table = found.path;
  table.replace_extension();
  table += "_light.csv";
  return std::filesystem::exists(table) ? from_table(table.string(), found.V.cols())
                                        : from_names(found);
}

}  // namespace tamis::experiments
