// Images: a folder of them, a pattern, or a single one. A sample is a file, read when its turn
// comes. The first decides the size and the depth that outputs will have; each is divided by its
// own white, so that files of 8 and of 16 bits may be mixed.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "io/formats.hpp"
#include "io/image_file.hpp"
#include "io/image_list.hpp"
#include "io/picture.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

template <class T>
class ImageReader final : public Reader<T> {
 public:
  ImageReader(const std::string& input, OpenOptions options)
      : list_(list_images(input)), options_(std::move(options)), first_(read_image(0)) {
    format_ = format_of(first_.picture);
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return Index(list_.paths.size()); }
  Access access() const override { return Access::random; }
  void seek(Index sample) override { next_ = sample; }
  std::string name(Index sample) const override {
    const bool known = sample >= 0 && sample < Index(list_.names.size());
    return known ? list_.names[std::size_t(sample)] : std::string();
  }

  Index read(MatrixRef<T> V) override {
    Index n = 0;
    for (; n < V.cols() && next_ < Index(list_.paths.size()); ++n, ++next_) {
      const DecodedImage image = next_ == 0 ? first_ : read_image(next_);
      if (image.picture.size() != first_.picture.size())
        throw FileError(fmt::format(
            "{}: its size is {}, that of {} is {}; --resize WxH makes them all the same",
            list_.paths[std::size_t(next_)], size_text(image.picture), list_.paths[0],
            size_text(first_.picture)));
      to_sample<T>(image.picture, image.top, V.col(n));
    }
    return n;
  }

 private:
  DecodedImage read_image(Index sample) {
    DecodedImage image =
        tamis::read_image(list_.paths[std::size_t(sample)], options_.color, quiet_);
    quiet_.run([&] { resize(image.picture, options_.resize); });
    return image;
  }

  ImageList list_;
  OpenOptions options_;
  QuietThread quiet_;
  DecodedImage first_;  // kept: it is needed twice
  SampleFormat format_;
  Index next_ = 0;
};

}  // namespace

bool names_images(const std::string& input) {
  std::error_code ignored;
  return is_image_name(input) || is_pattern(input) || std::filesystem::is_directory(input, ignored);
}

template <class T>
std::unique_ptr<Reader<T>> open_images(const std::string& input, const OpenOptions& options) {
  return std::make_unique<ImageReader<T>>(input, options);
}

template std::unique_ptr<Reader<float>> open_images(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_images(const std::string&, const OpenOptions&);

}  // namespace tamis
