// Arrays in HDF5 files. The first dimension counts samples, the others are the shape of a sample; a
// block of samples is a hyperslab, converted by the library.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "io/formats.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_chunks.hpp"
#include "io/hdf5_find.hpp"

namespace tamis {
namespace {

using Sizes = std::vector<hsize_t>;

constexpr hsize_t least_cache = 1 << 20, most_cache = 256 << 20;

// What to say when its entries cannot be read
std::string trouble_with(const H5::DataSet& dataset) {
  for (const H5Z_filter_t filter : filters_of(dataset)) {
    if (H5Zfilter_avail(filter) <= 0)
      return fmt::format(
          "cannot be read: it is packed by filter {}, which is no part of HDF5. h5repack -f GZIP=1 "
          "packs it otherwise; or HDF5_PLUGIN_PATH names the folder of this filter",
          filter);
  }
  return "cannot be read; it may be damaged";
}

// Opened again with a cache that is big enough for the chunks that hold one sample: otherwise they
// would be unpacked again for every block.
H5::DataSet with_cache(const H5::H5File& file, const std::string& name,
                       const H5::DataSet& dataset) {
  if (dataset.getCreatePlist().getLayout() != H5D_CHUNKED) return dataset;
  const Sizes sizes = sizes_of(dataset), chunk = chunk_of(dataset);
  hsize_t bytes = dataset.getDataType().getSize() * chunk[0];
  for (std::size_t i = 1; i < sizes.size(); ++i)
    bytes = std::min((sizes[i] + chunk[i] - 1) / chunk[i] * chunk[i], most_cache) *
            std::min(bytes, most_cache);
  H5::DSetAccPropList access;
  access.setChunkCache(12421, std::clamp(bytes, least_cache, most_cache), 1);
  return file.openDataSet(name, access);
}

// Otherwise entries that were never written are left as they are in memory.
bool fills(const H5::DataSet& dataset) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  return created.isFillValueDefined() != H5D_FILL_VALUE_UNDEFINED &&
         created.getFillTime() != H5D_FILL_TIME_NEVER;
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
  const bool always = features <= always_possible / sizeof(double);
  if (sizes[0] > 0 && !always && features / best_hdf5_compression > file_bytes)
    throw FileError(fmt::format("{}: a shape of {} is more than the file can hold", name,
                                fmt::join(sizes, "x")));
}

template <class T>
class Hdf5Reader final : public Reader<T> {
 public:
  explicit Hdf5Reader(const std::string& name) : path_(split_hdf5_name(name).file) {
    with_hdf5(path_, "cannot be read", [&] {
      const auto [file, array] = find_array(split_hdf5_name(name));
      const H5::DataSet dataset = file.openDataSet(array);
      const std::string whole_name = path_ + ":/" + array;
      if (!numeric(dataset)) throw FileError(whole_name + ": not an array of numbers");
      sizes_ = sizes_of(dataset);
      check_sizes(sizes_, whole_name, bytes_of_files(dataset));
      format_.shape.assign(sizes_.begin() + 1, sizes_.end());
      set_type(dataset, format_);
      trouble_ = trouble_with(dataset);
      fills_ = fills(dataset);
      check_stored(dataset, path_);
      chunks_.emplace(dataset, whole_name);
      dataset_ = std::make_unique<H5::DataSet>(with_cache(file, array, dataset));
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
      if (!fills_) V.leftCols(n).setZero();
      chunks_->check(*dataset_, next_, n);
      const bool together = V.outerStride() == V.rows();
      const Index step = together ? chunks_->samples_at_once() : 1;
      for (Index j = 0; j < n; j += std::min(step, n - j))
        read_slab(next_ + j, std::min(step, n - j), V.col(j).data());
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
  bool fills_ = true;
  std::optional<ChunkCheck> chunks_;
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
