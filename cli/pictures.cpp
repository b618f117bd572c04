#include "pictures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "io/formats.hpp"
#include "io/image_file.hpp"
#include "io/image_list.hpp"
#include "outputs.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

template <class T>
class ImageFiles final : public Pictures<T> {
 public:
  ImageFiles(const InputFlags& input, const std::string& out, bool force)
      : list_(list_images(input.path)), out_(create_photos(out, force)) {
    const auto limit = std::size_t(input.limit);
    if (limit > 0 && limit < list_.paths.size()) list_.paths.resize(limit);
    if (list_.paths.size() > 1 && is_image_name(out))
      throw FileError(out +
                      ": one image file for several images; end the name in / for a folder "
                      "of them");
  }

  std::optional<Index> count() const override { return Index(list_.paths.size()); }

  bool next(PictureItem<T>& item) override {
    if (next_ == list_.paths.size()) return false;
    item.photo = read_photo(list_.paths[next_], quiet_);
    item.format = item.photo.format;
    item.pixels = item.photo.pixels.template cast<T>();
    item.name = list_.names[next_++];
    return true;
  }

  void write(const PictureItem<T>& item, const Vector<T>& pixels) override {
    out_->write(item.name, photo_picture(item.photo, pixels.template cast<float>()));
  }
  void finish() override { out_->finish(); }

 private:
  ImageList list_;
  std::unique_ptr<PhotoOutput> out_;
  QuietThread quiet_;
  std::size_t next_ = 0;
};

template <class T>
class SamplesAsPictures final : public Pictures<T> {
 public:
  SamplesAsPictures(const InputFlags& input, const std::string& out, bool force)
      : input_(input), out_(Outputs(input_.source, 0, force).template samples<T>(out)) {
    if (!input_.source.format().image())
      throw DataError(
          fmt::format("{}: samples of shape {} are not pictures (height x width, or "
                      "height x width x 3)",
                      input.path, fmt::join(input_.source.format().shape, "x")));
    input_.source.start({});
  }

  std::optional<Index> count() const override { return input_.source.samples(); }

  bool next(PictureItem<T>& item) override {
    if (!input_.source.read(1, block_)) return false;
    item.format = input_.source.format();
    item.pixels = block_.V.col(0);
    item.name = input_.source.name(read_++);
    return true;
  }

  void write(const PictureItem<T>&, const Vector<T>& pixels) override {
    out_->write(pixels, Rows{written_++});
  }
  void finish() override { out_->finish(); }

 private:
  Input<T> input_;
  std::unique_ptr<Writer<T>> out_;
  SampleBlock<T> block_;
  Index read_ = 0, written_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Pictures<T>> open_pictures(const InputFlags& input, const std::string& out,
                                           bool force) {
  const bool as_they_are = names_images(input.path) && names_image_output(out) &&
                           input.resize.empty() && input.stream.repeat == 1;
  if (as_they_are) return std::make_unique<ImageFiles<T>>(input, out, force);
  return std::make_unique<SamplesAsPictures<T>>(input, out, force);
}

struct MissingMasks::Files {
  std::vector<std::string> images;         // files, each of a size of its own
  std::unique_ptr<Reader<float>> samples;  // or any other input
  QuietThread quiet;
  Index next = 0;
  std::vector<Index> shape;
  Vector<float> mask;

  Index count() const { return samples ? samples->samples().value_or(0) : Index(images.size()); }

  void read(const std::string& path) {
    if (next == count()) return;  // one for all
    if (samples) {
      shape = samples->format().shape;
      Matrix<float> V(samples->format().features(), 1);
      if (samples->read(V) == 0) throw FileError(path + ": ends too early");
      mask = V.col(0);
    } else {
      Photo photo = read_photo(images[std::size_t(next)], quiet);
      shape = photo.format.shape;
      mask = std::move(photo.pixels);
    }
    ++next;
  }
};

MissingMasks::MissingMasks(const std::string& path)
    : path_(path), files_(std::make_unique<Files>()) {
  if (names_images(path)) {
    files_->images = list_images(path).paths;
  } else {
    files_->samples = open_reader<float>(path);
  }
}

MissingMasks::~MissingMasks() = default;

void MissingMasks::check_count(std::optional<Index> pictures) const {
  const Index masks = files_->count();
  if (masks != 1 && masks != pictures.value_or(-1))
    throw DataError(
        fmt::format("{}: {} masks for {} pictures; one for all or one for each is "
                    "needed",
                    path_, masks, pictures ? fmt::to_string(*pictures) : "an unknown number of"));
}

template <class T>
void MissingMasks::apply(PictureItem<T>& item) {
  files_->read(path_);
  const std::vector<Index>& shape = files_->shape;
  const PictureSize size = item.size();
  if (shape.size() < 2 || shape[0] != size.height || shape[1] != size.width)
    throw DataError(fmt::format("{}: a mask of {} for a picture of {}x{} (height x width)", path_,
                                fmt::join(shape, "x"), size.height, size.width));
  const Index channels = shape.size() > 2 ? shape[2] : 1;
  for (Index pixel = 0; pixel < size.height * size.width; ++pixel)
    if (files_->mask.segment(pixel * channels, channels).maxCoeff() > 0.5F)
      item.pixels.segment(pixel * size.channels, size.channels)
          .setConstant(std::numeric_limits<T>::quiet_NaN());
}

template std::unique_ptr<Pictures<float>> open_pictures(const InputFlags&, const std::string&,
                                                        bool);
template std::unique_ptr<Pictures<double>> open_pictures(const InputFlags&, const std::string&,
                                                         bool);
template void MissingMasks::apply(PictureItem<float>&);
template void MissingMasks::apply(PictureItem<double>&);

}  // namespace tamis
