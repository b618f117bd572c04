// Arrays in HDF5 files. The first dimension counts samples, the others are the shape of a sample; a
// block of samples is a hyperslab, converted by the library.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/formats.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_disk.hpp"

namespace tamis {
namespace {

using Sizes = std::vector<hsize_t>;

constexpr std::size_t most_names = 20;  // listed in a message
constexpr int deepest_group = 64;       // that is looked into
constexpr std::size_t most_objects = 10000;
constexpr hsize_t best_compression = 1100;  // deflate does not reach more
constexpr hsize_t least_cache = 1 << 20, most_cache = 256 << 20;

H5::H5File open_file(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) throw FileError(path + ": no such file");
  try {
    return open_hdf5(path);
  } catch (const H5::Exception&) {
    throw FileError(path +
                    ": not a readable HDF5 file; it may be damaged, cut short, or of another kind");
  }
}

Sizes sizes_of(const H5::DataSet& dataset) {
  const H5::DataSpace space = dataset.getSpace();
  Sizes sizes(std::size_t(std::max(space.getSimpleExtentNdims(), 0)));
  if (!sizes.empty()) space.getSimpleExtentDims(sizes.data());
  return sizes;
}

bool numeric(const H5::DataSet& dataset) {
  const H5T_class_t kind = dataset.getTypeClass();
  // h5py writes truth values as an enumeration of FALSE and TRUE.
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

herr_t collect_name(hid_t, const char* name, const H5L_info_t* info, void* names) {
  if (info->type == H5L_TYPE_HARD) static_cast<std::vector<std::string>*>(names)->push_back(name);
  return 0;
}

struct Dataset {
  std::string name;
  bool usable;  // numbers, of at least two dimensions
};

// Not the library's own walk, which goes as deep as a file says: until the stack ends.
void collect_datasets(const H5::Group& group, const std::string& path, int depth, std::size_t& seen,
                      std::vector<Dataset>& datasets) {
  std::vector<std::string> names;
  H5Literate(group.getId(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names);
  for (const std::string& name : names) {
    if (++seen > most_objects) return;
    try {
      const H5O_type_t kind = group.childObjType(name);
      if (kind == H5O_TYPE_GROUP && depth < deepest_group)
        collect_datasets(group.openGroup(name), path + name + "/", depth + 1, seen, datasets);
      if (kind != H5O_TYPE_DATASET) continue;
      const H5::DataSet dataset = group.openDataSet(name);
      datasets.push_back({path + name, numeric(dataset) && sizes_of(dataset).size() >= 2});
    } catch (const H5::Exception&) {
      continue;  // damaged: of no use
    }
  }
}

std::vector<Dataset> datasets_in(const H5::H5File& file) {
  std::vector<Dataset> datasets;
  std::size_t seen = 0;
  collect_datasets(file.openGroup("/"), "", 0, seen, datasets);
  return datasets;
}

std::string listed(const std::vector<Dataset>& datasets) {
  if (datasets.empty()) return "there are none in this file";
  std::vector<std::string> names;
  names.reserve(datasets.size());
  for (const Dataset& dataset : datasets) names.push_back("/" + dataset.name);
  const bool more = names.size() > most_names;
  names.resize(std::min(names.size(), most_names));
  return fmt::format("there are {}{}", fmt::join(names, ", "), more ? ", …" : "");
}

bool is_model(const H5::H5File& file) {
  return file.nameExists("format") && file.nameExists("settings") && file.nameExists("W");
}

// The only array that can be meant
std::string only_dataset(const H5::H5File& file, const std::string& path) {
  if (is_model(file))
    throw FileError(fmt::format(
        "{}: a tamis model, not samples; if an array in it is meant, name it, for instance {}:/W",
        path, path));
  const std::vector<Dataset> datasets = datasets_in(file);
  const auto usable = std::ranges::count(datasets, true, &Dataset::usable);
  if (usable == 0 && !datasets.empty())
    throw FileError(
        fmt::format("{}: has no array of numbers with samples as rows (2 or more dimensions); {}",
                    path, listed(datasets)));
  if (usable != 1)
    throw FileError(
        fmt::format("{}: which array? Name it, as in {}:/name; {}", path, path, listed(datasets)));
  return std::ranges::find(datasets, true, &Dataset::usable)->name;
}

H5::DataSet find_dataset(const H5::H5File& file, const Hdf5Name& name) {
  const std::string wanted = name.dataset.empty() ? only_dataset(file, name.file) : name.dataset;
  try {
    if (file.childObjType(wanted) == H5O_TYPE_DATASET) return file.openDataSet(wanted);
  } catch (const H5::Exception&) {
    // Said below, with what there is instead.
  }
  throw FileError(
      fmt::format("{}: no array /{} in it; {}", name.file, wanted, listed(datasets_in(file))));
}

// What to say when its entries cannot be read
std::string trouble_with(const H5::DataSet& dataset) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  for (int i = 0; i < created.getNfilters(); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = created.getFilter(i, flags, values, nullptr, 0, nullptr, config);
    if (H5Zfilter_avail(filter) <= 0)
      return fmt::format(
          "cannot be read: it is packed by filter {}, which is no part of HDF5. h5repack -f GZIP=1 "
          "packs it otherwise; or HDF5_PLUGIN_PATH names the folder of this filter",
          filter);
  }
  return "cannot be read; it may be damaged";
}

// The library takes memory for a whole chunk, whatever the file says that it has.
void check_chunk(const Sizes& chunk, const H5::DataSet& dataset, const std::string& path) {
  const hsize_t bytes = std::max(std::filesystem::file_size(path) * best_compression, least_cache);
  hsize_t room = bytes / dataset.getDataType().getSize();
  for (const hsize_t n : chunk) {
    if (n == 0 || n > room)
      throw FileError(fmt::format("{}:{}: chunks of {} are more than the file can hold", path,
                                  dataset.getObjName(), fmt::join(chunk, "x")));
    room /= n;
  }
}

// Big enough for the chunks that hold one sample: otherwise they would be unpacked again for every
// block.
H5::DataSet with_cache(const H5::H5File& file, const H5::DataSet& dataset,
                       const std::string& path) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  if (created.getLayout() != H5D_CHUNKED) return dataset;
  const Sizes sizes = sizes_of(dataset);
  Sizes chunk(sizes.size());
  created.getChunk(int(chunk.size()), chunk.data());
  check_chunk(chunk, dataset, path);
  hsize_t bytes = dataset.getDataType().getSize() * chunk[0];
  for (std::size_t i = 1; i < sizes.size(); ++i)
    bytes = std::min((sizes[i] + chunk[i] - 1) / chunk[i] * chunk[i], most_cache) *
            std::min(bytes, most_cache);
  H5::DSetAccPropList access;
  access.setChunkCache(12421, std::clamp(bytes, least_cache, most_cache), 1);
  return file.openDataSet(dataset.getObjName(), access);
}

void set_type(const H5::DataSet& dataset, SampleFormat& format) {
  const std::size_t size = dataset.getDataType().getSize();
  const H5T_class_t kind = dataset.getTypeClass();
  format.type = ElementType::f64;
  if (kind == H5T_FLOAT) {
    if (size <= 4) format.type = ElementType::f32;
  } else if (kind == H5T_ENUM) {
    if (size == 1) format.type = ElementType::u8;
  } else if (dataset.getIntType().getSign() == H5T_SGN_NONE && size <= 2) {
    format.type = size == 1 ? ElementType::u8 : ElementType::u16;
    format.unit = unit_of(format.type);
  }
}

// Every product that will be formed fits in an Index, and a damaged header does not make us ask for
// more memory than a sample can have.
void check_sizes(const Sizes& sizes, const std::string& name, std::uintmax_t file_bytes) {
  if (sizes.size() < 2)
    throw FileError(fmt::format(
        "{}: an array of {} dimension{}; samples need at least two, (n_samples, n_features)", name,
        sizes.size(), sizes.size() == 1 ? "" : "s"));
  hsize_t room = std::numeric_limits<Index>::max() / 16;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if ((sizes[i] == 0 && i > 0) || sizes[i] > room)
      throw FileError(
          fmt::format("{}: a shape of {} is not possible", name, fmt::join(sizes, "x")));
    room /= std::max<hsize_t>(sizes[i], 1);
  }
  hsize_t features = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) features *= sizes[i];
  if (sizes[0] > 0 && features / best_compression > file_bytes)
    throw FileError(fmt::format("{}: a shape of {} is more than the file can hold", name,
                                fmt::join(sizes, "x")));
}

template <class T>
class Hdf5Reader final : public Reader<T> {
 public:
  explicit Hdf5Reader(const std::string& name) : path_(split_hdf5_name(name).file) {
    with_hdf5(path_, "cannot be read", [&] {
      const H5::H5File file = open_file(path_);
      const H5::DataSet dataset = find_dataset(file, split_hdf5_name(name));
      const std::string whole_name = path_ + ":" + dataset.getObjName();
      if (!numeric(dataset)) throw FileError(whole_name + ": not an array of numbers");
      sizes_ = sizes_of(dataset);
      check_sizes(sizes_, whole_name, std::filesystem::file_size(path_));
      format_.shape.assign(sizes_.begin() + 1, sizes_.end());
      set_type(dataset, format_);
      trouble_ = trouble_with(dataset);
      check_stored(dataset, path_);
      dataset_ = std::make_unique<H5::DataSet>(with_cache(file, dataset, path_));
    });
  }
  ~Hdf5Reader() override {
    const std::lock_guard lock(hdf5_mutex());
    dataset_.reset();
  }
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return Index(sizes_[0]); }
  Access access() const override { return Access::random; }
  void seek(Index sample) override { next_ = sample; }

  Index read(MatrixRef<T> V) override {
    const Index n = std::min(V.cols(), Index(sizes_[0]) - next_);
    if (n <= 0) return 0;
    with_hdf5(path_, trouble_, [&] {
      const bool together = V.outerStride() == V.rows();
      for (Index j = 0; j < n; j += together ? n : 1)
        read_slab(next_ + j, together ? n : 1, V.col(j).data());
    });
    if (format_.unit != 1) V.leftCols(n) /= T(format_.unit);
    next_ += n;
    return n;
  }

 private:
  void read_slab(Index first, Index n, T* to) {
    Sizes start(sizes_.size(), 0), count = sizes_;
    start[0] = hsize_t(first);
    count[0] = hsize_t(n);
    const H5::DataSpace in_file = dataset_->getSpace();
    in_file.selectHyperslab(H5S_SELECT_SET, count.data(), start.data());
    const H5::DataSpace in_memory(int(count.size()), count.data());
    dataset_->read(
        to, std::is_same_v<T, float> ? H5::PredType::NATIVE_FLOAT : H5::PredType::NATIVE_DOUBLE,
        in_memory, in_file);
  }

  std::string path_, trouble_;
  SampleFormat format_;
  Sizes sizes_;
  Index next_ = 0;
  std::unique_ptr<H5::DataSet> dataset_;  // keeps its file open
};

}  // namespace

template <class T>
std::unique_ptr<Reader<T>> open_hdf5(const std::string& name, const OpenOptions&) {
  return std::make_unique<Hdf5Reader<T>>(name);
}

template std::unique_ptr<Reader<float>> open_hdf5(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_hdf5(const std::string&, const OpenOptions&);

}  // namespace tamis
