// Where the light came from in the images of Yale B.
#include <filesystem>

#include "experiments/data_sets.hpp"
#include "lights.hpp"

namespace tamis::experiments {

std::vector<Light> DataSets::lights(const std::string& name) {
  const Images& found = images(name);
  const std::string table = light_table_of(found.path);
  if (!std::filesystem::exists(table)) return lights_of_names(found.names, found.path);
  // A line per image of the file, of which some may have been left out.
  const std::vector<Light> all = lights_of_table(table, found.V.cols());
  std::vector<Light> lights;
  for (std::size_t i = 0; i < std::size_t(found.V.cols()); ++i)
    lights.push_back(all[i * all.size() / std::size_t(found.V.cols())]);
  return lights;
}

}  // namespace tamis::experiments
