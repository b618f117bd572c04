#include "basis_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "picture.hpp"
#include "style.hpp"

namespace tamis::picture {
namespace {

constexpr int least_tile = 72;      // pixels of the shorter side, so that a number fits below
constexpr int widest_strip = 1200;  // of an atom that is not an image
constexpr int strip_height = 24;
constexpr int usage_height = 18;
constexpr double text_scale = 0.36;
constexpr double legend_scale = 0.45;
constexpr int legend_height = 64;

// White is nothing and dark is much, as ink on paper, or red and blue for atoms of any sign;
// colours as they are, around gray if they have a sign.
cv::Mat atom_image(ConstVectorRef<float> w, const std::vector<Index>& shape, bool any_sign) {
  const float top = std::max(w.cwiseAbs().maxCoeff(), 1e-30F);
  const bool color = shape.size() == 3;
  cv::Mat image = cv::Mat::zeros(static_cast<int>(shape[0]), static_cast<int>(shape[1]), CV_8UC3);
  for (int row = 0; row < image.rows; ++row) {
    for (int column = 0; column < image.cols; ++column) {
      const Index pixel = row * shape[1] + column;
      auto& out = image.at<cv::Vec3b>(row, column);
      if (!color) {
        out = colour_of(w[pixel] / top, any_sign ? Ink::red_blue : Ink::gray);
        continue;
      }
      for (int channel = 0; channel < 3; ++channel) {
        const float x = w[3 * pixel + 2 - channel] / top;
        out[channel] = cv::saturate_cast<uchar>(255 * (any_sign ? (1 + x) / 2 : x));
      }
    }
  }
  return image;
}

// Enlarged by a whole number, so that pixels stay square; a strip is stretched.
cv::Mat tile(ConstVectorRef<float> w, const std::vector<Index>& shape, bool any_sign) {
  const cv::Mat image = atom_image(w, shape, any_sign);
  cv::Mat large;
  if (image.rows == 1) {
    const int width = 4 * std::min(image.cols, widest_strip / 4);
    cv::resize(image, large, {std::max(width, least_tile), strip_height}, 0, 0,
               width < image.cols ? cv::INTER_AREA : cv::INTER_NEAREST);
  } else {
    const int scale =
        std::max(1, int(std::ceil(double(least_tile) / std::min(image.rows, image.cols))));
    cv::resize(image, large, {}, scale, scale, cv::INTER_NEAREST);
  }
  cv::copyMakeBorder(large, large, 1, 1, 1, 1, cv::BORDER_CONSTANT, style::faint);
  return large;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// A bar whose length is the usage relative to the busiest atom's, and the number.
void draw_usage(cv::Mat& page, cv::Point at, int width, double share, double most) {
  const std::string text = percent(share);
  const cv::Size size = style::text_size(text, text_scale);
  const int length = most > 0 ? int(std::lround(share / most * (width - size.width - 6))) : 0;
  cv::rectangle(page, cv::Rect(at.x, at.y + 5, std::max(length, 1), 8), style::accent, cv::FILLED);
  style::put_text(page, text, {at.x + std::max(length, 1) + 4, at.y + 13}, text_scale);
}

void draw_legend(cv::Mat& page, Index atoms, bool color, bool any_sign) {
  const int left = style::margin, base = style::margin + 12;
  style::put_text(page, fmt::format("{} atoms", atoms), {left, base}, legend_scale);
  cv::rectangle(page, cv::Rect(left, base + 14, 28, 8), style::accent, cv::FILLED);
  style::put_text(page, "usage: share of the reconstructions' energy", {left + 36, base + 22},
                  legend_scale);
  if (color) return;
  const int ramp = left + 380;
  if (ramp + 240 > page.cols) return;
  style::put_text(page, any_sign ? "-" : "0", {ramp, base + 22}, legend_scale);
  for (int i = 0; i < 100; ++i) {
    const float x = float(i) / 99;
    const cv::Vec3b colour =
        any_sign ? colour_of(2 * x - 1, Ink::red_blue) : colour_of(x, Ink::gray);
    cv::line(page, {ramp + 14 + i, base + 12}, {ramp + 14 + i, base + 22}, cv::Scalar(colour));
  }
  style::put_text(page, "its maximum", {ramp + 120, base + 22}, legend_scale);
}

}  // namespace

cv::Mat basis(const Matrix<float>& W, const std::vector<Index>& shape, const Vector<double>& usage,
              const std::vector<Index>& order, Index columns) {
  const bool any_sign = W.minCoeff() < 0;
  const cv::Mat first = tile(W.col(0), shape, any_sign);
  const int width = first.cols + style::gap, height = first.rows + usage_height + style::gap;
  const int rows = int((W.cols() + columns - 1) / columns);
  constexpr int least_width = 420;  // of the legend
  cv::Mat page(2 * style::margin + legend_height + rows * height - style::gap,
               std::max(least_width, 2 * style::margin + int(columns) * width - style::gap),
               CV_8UC3, style::paper);
  draw_legend(page, W.cols(), shape.size() == 3, any_sign);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const cv::Point at(style::margin + int(i) % int(columns) * width,
                       style::margin + legend_height + int(i) / int(columns) * height);
    tile(W.col(order[i]), shape, any_sign).copyTo(page(cv::Rect(at, first.size())));
    draw_usage(page, {at.x, at.y + first.rows}, first.cols, usage[order[i]], usage.maxCoeff());
  }
  return page;
}

}  // namespace tamis::picture
