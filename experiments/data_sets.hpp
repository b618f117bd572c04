// The data of the study, found in the folder of --data or made; each is read once.
//
// The recipe (section VII of the study): each image is scaled to unit maximum, all are replicated p
// times and shuffled, then contaminated; the synthetic set is made by the library's generator.
// Setting 1, 2, 3 stands for (ν, ν̃) = (0.7, 0.1), (0.8, 0.2), (0.9, 0.3); 0 for no contamination.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/options.hpp"
#include "tamis/evaluate/shadow.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

struct DataSetInfo {
  std::string_view name;
  std::string_view title;
  Index replication;                  // p
  Index tau;                          // 5·10⁻⁵N of the complete set, at least 1
  std::vector<std::string> found_as;  // names to look for in the folder of --data
  std::string_view origin;            // where to get it
};

// Throws SettingsError if there is none of this name.
const DataSetInfo& data_set_info(std::string_view name);

struct Images {
  Matrix<float> V;                 // F×n, each scaled to unit maximum
  std::vector<Index> shape;        // {height, width}
  std::vector<std::string> names;  // of the files, or empty
  std::string path;
};

// What a run learns from, in the order of arrival.
struct Samples {
  Matrix<float> V;            // F×N
  Matrix<float> clean;        // V°; empty if nothing was added
  std::vector<Index> shape;   // of a sample
  std::vector<Index> origin;  // N: which image each one is; empty for the synthetic set

  const Matrix<float>& truth() const { return clean.size() > 0 ? clean : V; }
};

class DataSets {
 public:
  // Throws FileError if the folder of --data is not there.
  explicit DataSets(const Options& options);

  bool has(std::string_view name) const;
  // What is missing, and where to get it
  std::string advice(std::string_view name) const;

  const Images& images(const std::string& name);
  // Kept until another one is asked for.
  const Samples& samples(const std::string& name, int setting);
  // One per image of a Yale subject, from its table or the names of its files.
  std::vector<Light> lights(const std::string& name);

 private:
  std::optional<std::string> path_of(std::string_view name) const;
  Images read_images(const std::string& name) const;
  Samples synthetic_samples(int setting) const;
  Samples replicated(const std::string& name, int setting);

  Options options_;
  std::map<std::string, Images> images_;
  std::string key_;  // of the samples that are kept
  Samples samples_;
};

}  // namespace tamis::experiments
