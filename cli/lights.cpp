#include "lights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tamis/error.hpp"
#include "tamis/io/reader.hpp"

namespace tamis {

std::string light_table_of(const std::string& pictures) {
  std::filesystem::path table = pictures;
  if (!table.has_filename()) table = table.parent_path();  // a folder named with its slash
  return table.replace_extension().string() + "_light.csv";
}

std::vector<Light> lights_of_table(const std::string& table, Index least) {
  const auto reader = open_reader<double>(table);
  constexpr Index most = 4096;
  const bool pairs = reader->format().features() == 2;
  Matrix<double> angles(2, std::max(least, most));
  const Index n = pairs ? reader->read(angles) : 0;
  if (!pairs || n < least)
    throw DataError(
        fmt::format("{}: needs azimuth and elevation, in degrees, of {} images", table, least));
  std::vector<Light> lights;
  for (Index i = 0; i < n; ++i) {
    if (!angles.col(i).allFinite())
      throw DataError(fmt::format("{}: does not say where the light of image {} is", table, i));
    lights.push_back({angles(0, i), angles(1, i)});
  }
  return lights;
}

std::vector<Light> lights_of_names(const std::vector<std::string>& names,
                                   const std::string& where) {
  static const std::regex angles("A([+-][0-9]+)E([+-][0-9]+)");
  std::vector<Light> lights;
  for (const std::string& name : names) {
    std::smatch found;
    if (!std::regex_search(name, found, angles))
      throw DataError(fmt::format(
          "{}: the name of image {} does not tell where the light is, as yaleB02_P00A-035E+15.pgm "
          "does",
          where, name));
    lights.push_back({std::stod(found[1]), std::stod(found[2])});
  }
  return lights;
}

}  // namespace tamis
