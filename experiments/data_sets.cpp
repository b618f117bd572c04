#include "experiments/data_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "experiments/image_memory.hpp"
#include "tamis/error.hpp"
#include "tamis/generate/corrupt.hpp"
#include "tamis/generate/synthetic.hpp"
#include "tamis/io/reader_source.hpp"

namespace tamis::experiments {
namespace {

constexpr Index synthetic_samples_in_all = 100000;
constexpr Index fewest_samples = 100;
constexpr Index fewest_images = 30;
// Below this scale large images are made smaller too, so that everything can be tried in seconds.
constexpr double tiny_scale = 0.05;
constexpr Index tiny_pixels = 1600;

struct Density {
  double nu, nu_tilde;
};
constexpr std::array<Density, 4> densities = {{{0, 0}, {0.7, 0.1}, {0.8, 0.2}, {0.9, 0.3}}};

const std::vector<DataSetInfo>& all_data_sets() {
  static const std::string_view yale =
      "the cropped images of the Extended Yale Face Database B, "
      "http://vision.ucsd.edu/~leekc/ExtYaleDatabase/ExtYaleB.html";
  static const std::string_view i2r =
      "the I2R data set of Li, Huang, Gu and Tian (2004), "
      "http://perception.i2r.a-star.edu.sg/bk_model/bk_index.html";
  static const std::vector<DataSetInfo> all = {
      {"synthetic", "synthetic", 1, 5, {}, ""},
      {"cbcl",
       "CBCL faces",
       50,
       6,
       {"cbcl_faces.npy", "cbcl", "cbcl_faces", "train/face", "face"},
       "the MIT CBCL face database 1, http://cbcl.mit.edu/software-datasets/FaceData2.html"},
      {"yaleb_02",
       "Yale B, subject 2",
       50,
       1,
       {"yaleb_02.npy", "yaleB02/*P00A*.pgm", "CroppedYale/yaleB02/*P00A*.pgm"},
       yale},
      {"yaleb_08",
       "Yale B, subject 8",
       50,
       1,
       {"yaleb_08.npy", "yaleB08/*P00A*.pgm", "CroppedYale/yaleB08/*P00A*.pgm"},
       yale},
      {"hall", "Hall", 20, 1, {"hall.npy", "hall", "Hall"}, i2r},
      {"escalator", "Escalator", 10, 1, {"escalator.npy", "escalator", "Escalator"}, i2r},
  };
  return all;
}

// A pattern is there if its folder is.
bool is_there(const std::filesystem::path& path) {
  const bool pattern = path.filename().string().find('*') != std::string::npos;
  return std::filesystem::exists(pattern ? path.parent_path() : path);
}

Images all_images(const std::string& path, const std::string& name) {
  const auto reader = open_reader<float>(path);
  const auto n = reader->samples();
  if (!n || !reader->format().image())
    throw DataError(fmt::format("{}: {} should be images, (samples, height, width)", path, name));
  Images images{Matrix<float>(reader->format().features(), *n), reader->format().shape, {}, path};
  images.V.conservativeResize(Eigen::NoChange, reader->read(images.V));
  if (images.V.cols() == 0) throw DataError(path + ": has no images");
  for (Index i = 0; i < images.V.cols(); ++i) images.names.push_back(reader->name(i));
  return images;
}

// Of n things replicated p times, how many times how many are left at a scale
struct Extent {
  Index images, replication;
};
Extent extent(Index n, Index p, double scale) {
  const Index replication = std::max<Index>(1, std::lround(double(p) * scale));
  const Index wanted = std::lround(double(n * p) * scale / double(replication));
  return {std::clamp(wanted, std::min(n, fewest_images), n), replication};
}

}  // namespace

const DataSetInfo& data_set_info(std::string_view name) {
  const auto& all = all_data_sets();
  const auto found = std::ranges::find(all, name, &DataSetInfo::name);
  if (found == all.end()) throw SettingsError(fmt::format("there is no data set {}", name));
  return *found;
}

DataSets::DataSets(const Options& options) : options_(options) {
  if (!options.data.empty() && !std::filesystem::is_directory(options.data))
    throw FileError(
        fmt::format("{}: is not a folder; --data takes the one that the data sets are "
                    "in",
                    options.data));
}

std::optional<std::string> DataSets::path_of(std::string_view name) const {
  if (options_.data.empty()) return std::nullopt;
  for (const std::string& candidate : data_set_info(name).found_as) {
    const auto path = std::filesystem::path(options_.data) / candidate;
    if (is_there(path)) return path.string();
  }
  return std::nullopt;
}

bool DataSets::has(std::string_view name) const {
  return name == "synthetic" || path_of(name).has_value();
}

std::string DataSets::advice(std::string_view name) const {
  const DataSetInfo& info = data_set_info(name);
  return fmt::format(
      "{} is missing: put it as {} into {}; it is {}", info.title, fmt::join(info.found_as, " or "),
      options_.data.empty() ? "a folder and name that with --data" : options_.data, info.origin);
}

const Images& DataSets::images(const std::string& name) {
  if (const auto found = images_.find(name); found != images_.end()) return found->second;
  return images_.emplace(name, read_images(name)).first->second;
}

Images DataSets::read_images(const std::string& name) const {
  const auto path = path_of(name);
  if (!path) throw DataError(advice(name));
  Images images = all_images(*path, name);
  const DataSetInfo& info = data_set_info(name);
  const Index n = extent(images.V.cols(), info.replication, options_.scale).images;
  // Every so many, so that all lights and the whole of a video are represented.
  keep_evenly(images, n);
  if (options_.scale < tiny_scale) shrink(images, tiny_pixels);
  scale_to_unit_maximum(images.V);
  return images;
}

const Samples& DataSets::samples(const std::string& name, int setting) {
  const std::string key = fmt::format("{} {}", name, setting);
  if (key == key_) return samples_;
  samples_ = {};  // before the next ones are made: both may not fit into memory
  key_.clear();
  samples_ = name == "synthetic" ? synthetic_samples(setting) : replicated(name, setting);
  key_ = key;
  return samples_;
}

Samples DataSets::synthetic_samples(int setting) const {
  SyntheticOptions recipe;  // its other numbers are the study's
  recipe.N = std::max<Index>(fewest_samples,
                             std::lround(double(synthetic_samples_in_all) * options_.scale));
  recipe.nu = densities[std::size_t(setting)].nu;
  recipe.nu_tilde = densities[std::size_t(setting)].nu_tilde;
  recipe.seed = options_.seed;
  Planted<float> made = synthetic<float>(recipe);
  return {std::move(made.V), std::move(made.clean), {recipe.F}, {}};
}

Samples DataSets::replicated(const std::string& name, int setting) {
  const Images& base = images(name);
  const Index n = base.V.cols();
  const Index p = extent(n, data_set_info(name).replication, options_.scale).replication;
  ReaderSource<float> source(std::make_unique<ImageMemory>(base), {.repeat = p});
  source.start({.shuffle = true, .seed = options_.seed});
  SampleBlock<float> block;
  if (!source.read(n * p, block) || block.V.cols() != n * p)
    throw DataError(base.path + ": cannot be replicated");
  Samples samples{{}, {}, base.shape, std::move(block.order)};
  for (Index& origin : samples.origin) origin %= n;
  if (setting == 0) {
    samples.V = std::move(block.V);
    return samples;
  }
  samples.clean = std::move(block.V);
  samples.V = corrupt<float>(samples.clean, {.nu = densities[std::size_t(setting)].nu,
                                             .nu_tilde = densities[std::size_t(setting)].nu_tilde,
                                             .seed = options_.seed})
                  .V;
  return samples;
}

}  // namespace tamis::experiments
