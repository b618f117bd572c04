#include "tamis/video/frame_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/formats.hpp"
#include "io/image_list.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

FrameShape shape_of(const SampleFormat& format) {
  return {format.shape[0], format.shape[1], format.shape.size() == 3 ? 3 : 1};
}

// Weights of red, green and blue as television has them
void to_gray(Frame& frame) {
  Frame gray({frame.shape.height, frame.shape.width, 1});
  for (std::size_t i = 0; i < gray.data.size(); ++i) {
    const std::uint8_t* const rgb = frame.data.data() + 3 * i;
    gray.data[i] = std::uint8_t((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
  }
  frame = std::move(gray);
}

}  // namespace

FrameSource::FrameSource(std::string input, OpenOptions options)
    : input_(std::move(input)), options_(std::move(options)), endless_(names_stream(input_)) {
  if (!endless_ && !names_generator(input_) && !names_video(input_) && names_images(input_)) {
    ImageList list = list_images(input_);
    images_ = std::move(list.paths);
    names_ = std::move(list.names);
  }
  open(images_.empty() ? input_ : images_.front());
  const SampleFormat& format = reader_->format();
  if (!format.image())
    throw DataError(fmt::format(
        "{}: samples of {} numbers are not frames: an array needs (frames, height, width), or "
        "(frames, height, width, 3) in colour",
        input_, format.features()));
  shape_ = shape_of(format);
  if (!options_.color) shape_.channels = 1;
  frame_rate_ = format.frame_rate;
  frames_ = images_.empty() ? reader_->samples() : std::optional(Index(images_.size()));
}

void FrameSource::open(const std::string& input) { reader_ = open_reader<float>(input, options_); }

std::string FrameSource::name(Index frame) const {
  return frame < Index(names_.size()) ? names_[std::size_t(frame)] : std::string();
}

bool FrameSource::next(Frame& frame) {
  if (!images_.empty()) {
    if (next_ == Index(images_.size())) return false;
    if (next_ > 0) open(images_[std::size_t(next_)]);
  }
  const SampleFormat& format = reader_->format();
  frame = Frame(shape_of(format));
  const Index F = frame.shape.entries();
  if (reader_->stores_bytes()) {
    bytes_.resize(F, 1);
    if (reader_->read_bytes(bytes_) == 0) return false;
    std::copy_n(bytes_.data(), F, frame.data.begin());
  } else {
    numbers_.resize(F, 1);
    if (reader_->read(numbers_) == 0) return false;
    if (!numbers_.allFinite())
      throw DataError(fmt::format("{}: frame {} has a value that is not finite", input_, next_));
    constexpr float slightly_more = 1e-3f;
    if (!(numbers_.minCoeff() >= -slightly_more && numbers_.maxCoeff() <= 1 + slightly_more))
      throw DataError(fmt::format(
          "{}: frame {} has values outside [0, 1]: store frames as integers of 8 or 16 bits, or "
          "divide them by the value of white",
          input_, next_));
    for (Index i = 0; i < F; ++i)
      frame.data[std::size_t(i)] =
          std::uint8_t(std::clamp(std::lround(numbers_(i, 0) * 255.f), 0L, 255L));
  }
  if (!options_.color && frame.shape.channels == 3) to_gray(frame);
  ++next_;
  return true;
}

}  // namespace tamis
