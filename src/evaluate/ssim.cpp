#include "tamis/evaluate/ssim.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opencv2/imgproc.hpp>

#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr int window = 11;
constexpr double sigma = 1.5;
constexpr double c1 = 0.01 * 0.01;  // (K₁L)² and (K₂L)² with L = 1
constexpr double c2 = 0.03 * 0.03;

cv::Mat channel_of(const ConstVectorRef<double>& x, int height, int width, int channels, int c) {
  cv::Mat plane(height, width, CV_64F);
  Index i = c;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column, i += channels)
      plane.at<double>(row, column) = x[i];
  return plane;
}

// Mean in the window, where it lies inside
cv::Mat local_mean(const cv::Mat& plane) {
  cv::Mat blurred;
  cv::GaussianBlur(plane, blurred, {window, window}, sigma, sigma, cv::BORDER_REFLECT);
  return blurred(
      cv::Rect(window / 2, window / 2, plane.cols - window + 1, plane.rows - window + 1));
}

// The mean over all places of (2μxμy + c₁)(2σxy + c₂) / ((μx² + μy² + c₁)(σx² + σy² + c₂))
double of_channel(const cv::Mat& x, const cv::Mat& y) {
  const cv::Mat mx = local_mean(x), my = local_mean(y);
  const cv::Mat xx = local_mean(x.mul(x)), yy = local_mean(y.mul(y)), xy = local_mean(x.mul(y));
  double sum = 0;
  for (int row = 0; row < mx.rows; ++row)
    for (int column = 0; column < mx.cols; ++column) {
      const auto at = [&](const cv::Mat& plane) { return plane.at<double>(row, column); };
      const double means = at(mx) * at(my);
      const double squares = at(mx) * at(mx) + at(my) * at(my);
      sum += (2 * means + c1) * (2 * (at(xy) - means) + c2) /
             ((squares + c1) * (at(xx) + at(yy) - squares + c2));
    }
  return sum / double(mx.total());
}

}  // namespace

double ssim(const ConstVectorRef<double>& clean, const ConstVectorRef<double>& estimate,
            const std::vector<Index>& shape) {
  Index features = 1;
  for (const Index n : shape) features *= n;
  const bool picture = shape.size() == 2 || shape.size() == 3;
  if (!picture || clean.size() != features || estimate.size() != features)
    throw DataError(fmt::format("{} and {} pixels are not two pictures of shape {}", clean.size(),
                                estimate.size(), fmt::join(shape, "x")));
  if (std::min(shape[0], shape[1]) < window)
    throw DataError(fmt::format("a picture of {} pixels is smaller than the {}x{} window of SSIM",
                                fmt::join(shape, "x"), window, window));
  const int height = int(shape[0]), width = int(shape[1]);
  const int channels = shape.size() == 3 ? int(shape[2]) : 1;
  double sum = 0;
  for (int c = 0; c < channels; ++c)
    sum += of_channel(channel_of(clean, height, width, channels, c),
                      channel_of(estimate, height, width, channels, c));
  return sum / channels;
}

}  // namespace tamis
