// .npy files. C order: a block of samples is a run of bytes. Fortran order: so is a feature of a
// block, and F of them are read per block.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "io/byte_file.hpp"
#include "io/convert.hpp"
#include "io/formats.hpp"
#include "io/npy_header.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

std::string first_bytes(const ByteFile& file, Index n) {
  std::string bytes(std::size_t(std::min(n, file.size())), '\0');
  file.read(std::as_writable_bytes(std::span(bytes)), 0);
  return bytes;
}

template <class T>
class NpyReader final : public Reader<T> {
 public:
  explicit NpyReader(const std::string& path) : file_(path, ByteFile::Mode::read) {
    data_ = npy_data_offset(first_bytes(file_, npy_preamble), path);
    if (data_ > file_.size()) throw FileError(path + ": ends in the middle of its header");
    header_ = parse_npy_header(first_bytes(file_, data_), path);
    format_ = header_.format();
    F_ = format_.features();
    size_ = size_of(header_.type);
    const Index needed = std::max<Index>(header_.samples(), 0) * F_ * size_;
    if (header_.samples() < 0 || file_.size() - data_ < needed) {
      throw FileError(
          fmt::format("{}: cut short: an array of shape {} has {} bytes of data, the file {}", path,
                      fmt::join(header_.shape, "x"), needed, file_.size() - data_));
    }
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return header_.samples(); }
  Access access() const override { return Access::random; }
  void seek(Index sample) override { next_ = sample; }

  bool stores_bytes() const override {
    return header_.type == ElementType::u8 && !header_.fortran_order;
  }
  Index read_bytes(MatrixRef<std::uint8_t> V) override {
    const Index n = std::min(V.cols(), header_.samples() - next_);
    if (n <= 0) return 0;
    eigen_assert(V.outerStride() == F_);
    file_.read(std::as_writable_bytes(std::span(V.data(), std::size_t(n * F_))),
               data_ + next_ * F_);
    next_ += n;
    return n;
  }

  Index read(MatrixRef<T> V) override {
    const Index n = std::min(V.cols(), header_.samples() - next_);
    if (n <= 0) return 0;
    if (header_.fortran_order) {
      read_by_feature(V.leftCols(n));
    } else {
      read_by_sample(V.leftCols(n));
    }
    next_ += n;
    return n;
  }

 private:
  void read_by_sample(MatrixRef<T> V) {
    if (header_.type == element_type<T>() && format_.unit == 1 && V.outerStride() == F_) {
      file_.read(std::as_writable_bytes(std::span(V.data(), std::size_t(V.size()))),
                 data_ + next_ * F_ * size_);
      return;
    }
    bytes_.resize(std::size_t(V.cols() * F_ * size_));
    file_.read(bytes_, data_ + next_ * F_ * size_);
    for (Index j = 0; j < V.cols(); ++j)
      from_stored(bytes_.data() + j * F_ * size_, header_.type, format_.unit, F_, V.col(j).data());
  }

  void read_by_feature(MatrixRef<T> V) {
    const Index n = V.cols();
    bytes_.resize(std::size_t(n * size_));
    feature_.resize(n);
    for (Index place = 0; place < F_; ++place) {
      file_.read(bytes_, data_ + (place * header_.samples() + next_) * size_);
      from_stored(bytes_.data(), header_.type, format_.unit, n, feature_.data());
      V.row(feature_at(place)) = feature_.transpose();
    }
  }

  // In Fortran order the first index of a sample runs fastest, for us the last one.
  Index feature_at(Index place) const {
    Index feature = 0;
    for (const Index n : format_.shape) {
      feature = feature * n + place % n;
      place /= n;
    }
    return feature;
  }

  ByteFile file_;
  NpyHeader header_;
  SampleFormat format_;
  Index data_ = 0;
  Index F_ = 0;
  Index size_ = 0;
  Index next_ = 0;
  std::vector<std::byte> bytes_;
  Vector<T> feature_;
};

}  // namespace

template <class T>
std::unique_ptr<Reader<T>> open_npy(const std::string& path, const OpenOptions&) {
  return std::make_unique<NpyReader<T>>(path);
}

template std::unique_ptr<Reader<float>> open_npy(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_npy(const std::string&, const OpenOptions&);

}  // namespace tamis
