#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "io/atomic_file.hpp"
#include "style.hpp"
#include "tamis/error.hpp"

namespace tamis::picture {
namespace {

constexpr double caption_scale = 0.6;
constexpr int caption_height = 34;

cv::Vec3b blend(const cv::Scalar& full, float strength) {
  cv::Vec3b colour;
  for (int channel = 0; channel < 3; ++channel)
    colour[channel] = cv::saturate_cast<uchar>(
        style::paper[channel] + double(strength) * (full[channel] - style::paper[channel]));
  return colour;
}

cv::Mat tile(const ConstVectorRef<float>& x, const TileLayout& layout) {
  cv::Mat image(int(layout.height), int(layout.width), CV_8UC3);
  for (int row = 0; row < image.rows; ++row)
    for (int column = 0; column < image.cols; ++column)
      image.at<cv::Vec3b>(row, column) = colour_of(x[row * layout.width + column], layout.ink);
  cv::Mat large;
  cv::resize(image, large, {}, layout.scale, layout.scale, cv::INTER_NEAREST);
  cv::copyMakeBorder(large, large, 1, 1, 1, 1, cv::BORDER_CONSTANT, style::faint);
  return large;
}

}  // namespace

cv::Vec3b colour_of(float value, Ink ink) {
  static const cv::Scalar red(30, 30, 205), blue(205, 90, 20);
  const float strength = std::min(std::abs(value), 1.f);
  if (ink == Ink::gray) return blend(style::ink, value > 0 ? strength : 0.f);
  return blend(value > 0 ? red : blue, strength);
}

cv::Mat tiles(ConstMatrixRef<float> X, const TileLayout& layout) {
  const int columns = int(std::min(layout.columns, X.cols()));
  const int rows = int((X.cols() + columns - 1) / columns);
  const int height = int(layout.height) * layout.scale + 2;
  const int width = int(layout.width) * layout.scale + 2;
  cv::Mat grid(rows * height + (rows - 1) * style::gap,
               columns * width + (columns - 1) * style::gap, CV_8UC3, style::paper);
  for (int n = 0; n < int(X.cols()); ++n) {
    const cv::Rect place(n % columns * (width + style::gap), n / columns * (height + style::gap),
                         width, height);
    tile(X.col(n), layout).copyTo(grid(place));
  }
  return grid;
}

Matrix<float> unit_maximum(ConstMatrixRef<float> X) {
  Matrix<float> result = X;
  for (Index j = 0; j < X.cols(); ++j) {
    const float top = X.col(j).maxCoeff();
    if (top > 0) result.col(j) /= top;
  }
  return result;
}

cv::Mat page(const std::vector<Panel>& panels) {
  const auto width_of = [](const Panel& panel) {
    return std::max(panel.image.cols, style::text_size(panel.caption, caption_scale).width);
  };
  int width = style::margin;
  int height = 0;
  for (const Panel& panel : panels) {
    width += width_of(panel) + style::margin;
    height = std::max(height, panel.image.rows);
  }
  cv::Mat result(height + caption_height + 2 * style::margin, width, CV_8UC3, style::paper);
  int left = style::margin;
  for (const Panel& panel : panels) {
    style::put_text(result, panel.caption, {left, style::margin + caption_height / 2},
                    caption_scale);
    panel.image.copyTo(
        result(cv::Rect(left, style::margin + caption_height, panel.image.cols, panel.image.rows)));
    left += width_of(panel) + style::margin;
  }
  return result;
}

void save(const std::filesystem::path& path, const cv::Mat& image) {
  std::vector<uchar> bytes;
  cv::imencode(".png", image, bytes, {cv::IMWRITE_PNG_COMPRESSION, 9});
  write_atomically(path.string(), [&](const std::string& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    for (const uchar byte : bytes) file.put(static_cast<char>(byte));
    file.close();
    if (!file)
      throw FileError(fmt::format(
          "{}: cannot be written: is the folder writable, is the disk full?", path.string()));
  });
}

}  // namespace tamis::picture
