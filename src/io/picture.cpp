#include "io/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "io/convert.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// Where channel c of a pixel is: libraries have blue first.
int stored_channel(int channels, int c) { return channels == 3 ? 2 - c : c; }

template <class Stored, class T>
void read_pixels(const cv::Mat& picture, double top, VectorRef<T> v) {
  const int channels = picture.channels();
  Index i = 0;
  for (int row = 0; row < picture.rows; ++row) {
    const auto* pixel = picture.ptr<Stored>(row);
    for (int column = 0; column < picture.cols; ++column, pixel += channels)
      for (int c = 0; c < channels; ++c) v[i++] = T(pixel[stored_channel(channels, c)]) / T(top);
  }
}

template <class Stored, class T>
void write_pixels(const ConstVectorRef<T>& v, double scale, double offset, cv::Mat& picture) {
  const int channels = picture.channels();
  Index i = 0;
  for (int row = 0; row < picture.rows; ++row) {
    auto* pixel = picture.ptr<Stored>(row);
    for (int column = 0; column < picture.cols; ++column, pixel += channels)
      for (int c = 0; c < channels; ++c)
        pixel[stored_channel(channels, c)] = stored<Stored>(double(v[i++]) * scale + offset);
  }
}

}  // namespace

void resize(cv::Mat& picture, const std::optional<ImageSize>& size) {
  if (!size) return;
  constexpr Index most = 1 << 15;
  if (std::min(size->width, size->height) < 1 || std::max(size->width, size->height) > most)
    throw SettingsError(
        fmt::format("resize = {}x{}: both must be from 1 to {}", size->width, size->height, most));
  const cv::Size wanted(int(size->width), int(size->height));
  if (picture.size() == wanted) return;
  const bool shrinks = wanted.width <= picture.cols && wanted.height <= picture.rows;
  cv::Mat result;
  cv::resize(picture, result, wanted, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  picture = result;
}

SampleFormat format_of(const cv::Mat& picture) {
  SampleFormat format;
  format.shape = {picture.rows, picture.cols};
  if (picture.channels() == 3) format.shape.push_back(3);
  format.type = picture.depth() == CV_16U ? ElementType::u16 : ElementType::u8;
  format.unit = unit_of(format.type);
  return format;
}

std::string size_text(const cv::Mat& picture) {
  return fmt::format("{}x{}", picture.cols, picture.rows);
}

template <class T>
void to_sample(const cv::Mat& picture, double top, VectorRef<T> v) {
  if (picture.depth() == CV_16U) {
    read_pixels<std::uint16_t, T>(picture, top, v);
  } else {
    read_pixels<std::uint8_t, T>(picture, top, v);
  }
}

template <class T>
cv::Mat to_picture(const ConstVectorRef<T>& v, const SampleFormat& format, bool around_zero) {
  const bool deep = format.type == ElementType::u16;
  const double white = deep ? 65535 : 255;
  // Entries of other types are not stored as they are: 1 is white, whatever their unit.
  const bool integer = deep || format.type == ElementType::u8;
  const double unit = integer ? format.unit : white;
  const double scale = around_zero ? unit / 2 : unit;
  const double offset = around_zero ? (white + 1) / 2 : 0;
  cv::Mat picture(int(format.shape[0]), int(format.shape[1]),
                  CV_MAKETYPE(deep ? CV_16U : CV_8U, format.shape.size() == 3 ? 3 : 1));
  if (deep) {
    write_pixels<std::uint16_t, T>(v, scale, offset, picture);
  } else {
    write_pixels<std::uint8_t, T>(v, scale, offset, picture);
  }
  return picture;
}

void require_images(const std::string& path, const SampleFormat& format) {
  constexpr Index most = 1 << 20;  // pixels on a side, for the libraries
  const bool image =
      format.image() && format.features() > 0 && format.shape[0] <= most && format.shape[1] <= most;
  if (image) return;
  throw FileError(
      fmt::format("{}: rows of shape {} are not images (height x width, or height x width x 3): "
                  "write them to a .npy file",
                  path, fmt::join(format.shape, "x")));
}

template void to_sample(const cv::Mat&, double, VectorRef<float>);
template void to_sample(const cv::Mat&, double, VectorRef<double>);
template void to_sample(const cv::Mat&, double, VectorRef<std::uint8_t>);  // 8 bits only
template cv::Mat to_picture(const ConstVectorRef<float>&, const SampleFormat&, bool);
template cv::Mat to_picture(const ConstVectorRef<double>&, const SampleFormat&, bool);

}  // namespace tamis
