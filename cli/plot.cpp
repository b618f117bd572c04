#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "style.hpp"

namespace tamis::picture {
namespace {

constexpr double text_scale = 0.5;
constexpr double title_scale = 0.6;
constexpr int tick_length = 5;
constexpr int subpixel_bits = 4;
const cv::Size page_size(900, 480);
// The area of the curve: room for a title and the y label above, numbers at the left and below.
const cv::Rect area(96, 84, 768, 312);

struct Axis {
  double low;
  double high;
  double step;  // between ticks

  int ticks() const { return int(std::lround((high - low) / step)) + 1; }
  double tick(int number) const { return low + number * step; }
  double position(double value) const { return (value - low) / (high - low); }
};

// Ticks at 1, 2 or 5 times a power of ten, about five of them; the ends of the axis are ticks.
Axis round_axis(double low, double high) {
  if (!(high > low)) high = low + 1;
  const double rough = (high - low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5., 2., 1.})
    if (factor * power >= rough) step = factor * power;
  return {std::floor(low / step) * step, std::ceil(high / step) * step, step};
}

void draw_axes(cv::Mat& image, const Axis& x, const Axis& y) {
  for (int i = 0; i < y.ticks(); ++i) {
    const int row = area.br().y - int(std::lround(y.position(y.tick(i)) * area.height));
    cv::line(image, {area.x, row}, {area.br().x, row}, style::faint);
    const std::string text = fmt::format("{:.4g}", y.tick(i));
    const cv::Size size = style::text_size(text, text_scale);
    style::put_text(image, text, {area.x - 2 * tick_length - size.width, row + size.height / 2},
                    text_scale);
  }
  for (int i = 0; i < x.ticks(); ++i) {
    const int column = area.x + int(std::lround(x.position(x.tick(i)) * area.width));
    cv::line(image, {column, area.br().y}, {column, area.br().y + tick_length}, style::ink);
    const std::string text = fmt::format("{:.6g}", x.tick(i));
    const cv::Size size = style::text_size(text, text_scale);
    style::put_text(image, text,
                    {column - size.width / 2, area.br().y + 3 * tick_length + size.height},
                    text_scale);
  }
  cv::line(image, {area.x, area.br().y}, area.br(), style::ink);
}

}  // namespace

cv::Mat plot(const Curve& curve) {
  cv::Mat image(page_size, CV_8UC3, style::paper);
  style::put_text(image, curve.title, {style::margin, style::margin + 14}, title_scale);
  style::put_text(image, curve.y_label, {style::margin, area.y - 16}, text_scale);
  const cv::Size label = style::text_size(curve.x_label, text_scale);
  style::put_text(image, curve.x_label,
                  {area.br().x - label.width, page_size.height - style::margin}, text_scale);
  if (curve.points.empty()) return image;

  const auto by_y = [](const cv::Point2d& a, const cv::Point2d& b) { return a.y < b.y; };
  const auto [lowest, highest] = std::ranges::minmax_element(curve.points, by_y);
  const Axis x = round_axis(0, curve.points.back().x);
  const Axis y = round_axis(std::min(0., lowest->y), highest->y);
  draw_axes(image, x, y);

  std::vector<cv::Point> line;  // in sixteenths of a pixel, for smooth slopes
  for (const cv::Point2d& point : curve.points)
    line.emplace_back(
        int(std::lround((area.x + x.position(point.x) * area.width) * (1 << subpixel_bits))),
        int(std::lround((area.br().y - y.position(point.y) * area.height) * (1 << subpixel_bits))));
  cv::polylines(image, line, false, style::accent, 2, cv::LINE_AA, subpixel_bits);
  return image;
}

}  // namespace tamis::picture
