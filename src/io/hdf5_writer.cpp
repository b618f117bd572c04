// Arrays into HDF5 files. Rows are collected in a plain file first, where they may come in any
// order and be written again, and from which a stopped run can go on whatever happened to it: an
// HDF5 file that was not closed may be unreadable. At the end each chunk is compressed once.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/byte_file.hpp"
#include "io/convert.hpp"
#include "io/formats.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_disk.hpp"
#include "io/part_file.hpp"

namespace tamis {
namespace {

using Sizes = std::vector<hsize_t>;

constexpr hsize_t chunk_bytes = 256 << 10;      // about, if a row is not longer
constexpr hsize_t most_chunk_bytes = 16 << 20;  // then it is divided
constexpr int compression_level = 1;            // more hardly pays for codes and outliers

const H5::PredType& type_in_memory(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return H5::PredType::NATIVE_UINT8;
    case ElementType::u16:
      return H5::PredType::NATIVE_UINT16;
    case ElementType::f32:
      return H5::PredType::NATIVE_FLOAT;
    case ElementType::f64:
      break;
  }
  return H5::PredType::NATIVE_DOUBLE;
}

Sizes chunk_of(const SampleFormat& format) {
  Sizes chunk{1};
  chunk.insert(chunk.end(), format.shape.begin(), format.shape.end());
  hsize_t bytes = hsize_t(format.features()) * hsize_t(size_of(format.type));
  chunk[0] = std::clamp<hsize_t>(chunk_bytes / bytes, 1, 4096);
  while (bytes > most_chunk_bytes) {
    hsize_t& longest = *std::max_element(chunk.begin() + 1, chunk.end());
    longest = (longest + 1) / 2;
    bytes = (bytes + 1) / 2;
  }
  return chunk;
}

H5::DataSet create_dataset(const H5::H5File& file, const std::string& name, Index rows,
                           const SampleFormat& format) {
  Sizes sizes{hsize_t(rows)};
  sizes.insert(sizes.end(), format.shape.begin(), format.shape.end());
  Sizes most = sizes;
  most[0] = H5S_UNLIMITED;  // others may append
  const Sizes chunk = chunk_of(format);
  H5::DSetCreatPropList properties = without_times();
  properties.setChunk(int(chunk.size()), chunk.data());
  properties.setShuffle();
  properties.setDeflate(compression_level);
  H5::LinkCreatPropList links;
  links.setCreateIntermediateGroup(true);
  const H5::DataSpace space(int(sizes.size()), sizes.data(), most.data());
  return file.createDataSet(name, type_in_memory(format.type), space, properties,
                            H5::DSetAccPropList::DEFAULT, links);
}

// Two outputs into one file would replace each other.
class Claim {
 public:
  explicit Claim(const std::string& path) {
    std::error_code ignored;
    path_ = std::filesystem::weakly_canonical(path, ignored).string();
    const std::lock_guard lock(hdf5_mutex());
    if (!claimed().insert(path_).second)
      throw FileError(path +
                      ": is already being written; give every output an HDF5 file of its own");
  }
  ~Claim() {
    const std::lock_guard lock(hdf5_mutex());
    claimed().erase(path_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  static std::set<std::string>& claimed() {
    static std::set<std::string> paths;
    return paths;
  }

  std::string path_;
};

template <class T>
class Hdf5Writer final : public Writer<T> {
 public:
  Hdf5Writer(const Hdf5Name& name, const WriterOptions& options)
      : claim_(name.file),
        target_(name.file, options.force),
        collected_(rows_name(name.file), true),
        dataset_(name.dataset.empty() ? "data" : name.dataset),
        format_(options.format),
        row_bytes_(format_.features() * size_of(format_.type)) {}

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    open(ByteFile::Mode::create);
    bytes_.resize(std::size_t(row_bytes_));
    for (Index j = 0; j < X.cols(); ++j) {
      to_stored(X.col(j).data(), X.rows(), format_.type, format_.unit, bytes_.data());
      file_->write(bytes_, rows[j] * row_bytes_);
      rows_ = std::max(rows_, rows[j] + 1);
    }
  }

  std::string state() override {
    open(ByteFile::Mode::create);
    file_->sync();
    collected_.keep();
    return std::to_string(rows_);
  }

  void resume(const std::string& state) override {
    collected_.keep();
    const char* const end = state.data() + state.size();
    const auto [stop, problem] = std::from_chars(state.data(), end, rows_);
    if (problem != std::errc() || stop != end || rows_ < 0)
      throw FileError(target_.path() + ": the stopped run wrote another kind of file");
    packed_ = !collected_.begun_before() && target_.begun_before();
    if (packed_) return target_.keep();
    open(ByteFile::Mode::change);
    if (file_->size() / row_bytes_ < rows_)
      throw FileError(collected_.part() + ": lost what the stopped run had written");
    std::error_code problem_cutting;
    std::filesystem::resize_file(collected_.part(), std::uintmax_t(rows_ * row_bytes_),
                                 problem_cutting);
    if (problem_cutting)
      throw FileError(
          fmt::format("{}: cannot be written: {}", collected_.part(), problem_cutting.message()));
  }

  void finish() override {
    if (!packed_) pack();
    target_.publish();
  }

 private:
  // The rows go when the packed ones are safe, and before those get their name: which files are
  // there tells a run that goes on how far this came.
  void pack() {
    open(ByteFile::Mode::create);
    with_hdf5(target_.path(), "cannot be written", [&] {
      Hdf5Output output(target_.part());
      copy_rows(create_dataset(output.file(), dataset_, rows_, format_));
      output.close();
    });
    sync_to_disk(target_.part());
    sync_names(target_.part());
    target_.keep();
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(collected_.part(), ignored);
  }

  // Only now, so that a run that fails early leaves nothing.
  void open(ByteFile::Mode mode) {
    if (packed_) throw FileError(collected_.part() + ": lost what the stopped run had written");
    if (!file_) file_ = std::make_unique<ByteFile>(collected_.part(), mode);
  }

  void copy_rows(const H5::DataSet& dataset) {
    Sizes count = chunk_of(format_), start(count.size(), 0);
    const auto step = Index(count[0]);
    std::copy(format_.shape.begin(), format_.shape.end(), count.begin() + 1);
    for (Index first = 0; first < rows_; first += step) {
      start[0] = hsize_t(first);
      count[0] = hsize_t(std::min(step, rows_ - first));
      bytes_.resize(std::size_t(Index(count[0]) * row_bytes_));
      file_->read(bytes_, first * row_bytes_);
      const H5::DataSpace in_file = dataset.getSpace();
      in_file.selectHyperslab(H5S_SELECT_SET, count.data(), start.data());
      dataset.write(bytes_.data(), type_in_memory(format_.type),
                    H5::DataSpace(int(count.size()), count.data()), in_file);
    }
  }

  Claim claim_;  // first: until it is granted, the files below are another writer's
  PartFile target_;
  PartFile collected_;
  std::string dataset_;
  SampleFormat format_;
  Index row_bytes_;
  Index rows_ = 0;
  bool packed_ = false;  // by a run that was killed then: nothing is left but the name
  std::unique_ptr<ByteFile> file_;
  std::vector<std::byte> bytes_;
};

}  // namespace

template <class T>
std::unique_ptr<Writer<T>> create_hdf5(const std::string& name, const WriterOptions& options) {
  return std::make_unique<Hdf5Writer<T>>(split_hdf5_name(name), options);
}

template std::unique_ptr<Writer<float>> create_hdf5(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> create_hdf5(const std::string&, const WriterOptions&);

}  // namespace tamis
