#include "video/steady.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace tamis {
namespace {

constexpr int finest_width = 240;
constexpr std::size_t level_count = 3;
constexpr int smallest = 8;          // pixels of a level's side
constexpr std::size_t probes = 9;    // of the first frames
constexpr double noticeable = 0.35;  // pixels: shifts that the median of them must exceed
constexpr double certain = 0.15;     // … and pixels of the finest copy
constexpr double farthest = 0.1;     // of the width
constexpr int steps = 8;
constexpr double robust = 8;  // gray levels beyond which a difference counts less

cv::Mat view(const Frame& frame) {
  return {int(frame.shape.height), int(frame.shape.width),
          frame.shape.channels == 3 ? CV_8UC3 : CV_8U,
          const_cast<std::uint8_t*>(frame.data.data())};  // NOLINT(*-const-cast): only read
}

// Gray, smooth and small
cv::Mat copy_of(const Frame& frame) {
  cv::Mat picture = view(frame);
  if (frame.shape.channels == 3) cv::extractChannel(picture, picture, 1);
  if (picture.cols > finest_width) {
    const int height = std::max(1, int(frame.shape.height) * finest_width / picture.cols);
    cv::resize(picture, picture, {finest_width, height}, 0, 0, cv::INTER_AREA);
  }
  cv::Mat smooth;
  picture.convertTo(smooth, CV_32F);
  cv::GaussianBlur(smooth, smooth, {5, 5}, 1);
  return smooth;
}

std::vector<cv::Mat> pyramid(cv::Mat picture) {
  std::vector<cv::Mat> levels{picture};
  while (levels.size() < level_count && std::min(picture.rows, picture.cols) >= 2 * smallest) {
    cv::Mat half;
    cv::pyrDown(picture, half);
    levels.push_back(half);
    picture = half;
  }
  return levels;
}

cv::Mat moved(const cv::Mat& picture, cv::Point2d d, int how, int border) {
  const cv::Matx23d by(1, 0, d.x, 0, 1, d.y);
  cv::Mat result;
  cv::warpAffine(picture, result, by, picture.size(), how | cv::WARP_INVERSE_MAP, border);
  return result;
}

void move_frame(const Frame& frame, cv::Point2d d, int how, int border, Frame& result) {
  result = Frame(frame.shape);
  moved(view(frame), d, how, border).copyTo(view(result));
}

}  // namespace

void Steady::refer_to(const Frame& background) {
  levels_.clear();
  for (const cv::Mat& picture : pyramid(copy_of(background))) {
    Level level{picture, {}, {}, std::max(cv::mean(picture)[0], 1.0)};
    cv::Sobel(picture, level.x, CV_32F, 1, 0, 3, 1. / 8);
    cv::Sobel(picture, level.y, CV_32F, 0, 1, 3, 1. / 8);
    levels_.push_back(level);
  }
  scale_ = double(background.shape.width) / double(levels_.front().picture.cols);
}

std::vector<Frame> Steady::start(std::span<const Frame> frames, const Frame& median) {
  active_ = false;
  if (frames.size() < probes || std::min(median.shape.width, median.shape.height) < 2 * smallest)
    return {};
  refer_to(median);
  // Most cameras stand still, and a few frames tell.
  std::vector<double> sizes;
  for (std::size_t probe = 0; probe < probes; ++probe)
    sizes.push_back(cv::norm(shift_of(frames[probe * (frames.size() - 1) / (probes - 1)])));
  std::ranges::nth_element(sizes, sizes.begin() + probes / 2);
  active_ = sizes[probes / 2] > std::max(noticeable, certain * scale_);
  std::vector<Frame> held(active_ ? frames.size() : 0);
  for (std::size_t t = 0; t < held.size(); ++t)
    move_frame(frames[t], shift_of(frames[t]), cv::INTER_LINEAR, cv::BORDER_REPLICATE, held[t]);
  return held;
}

void Steady::hold(const Frame& frame, Frame& held) {
  shift_ = shift_of(frame);
  move_frame(frame, shift_, cv::INTER_LINEAR, cv::BORDER_REPLICATE, held);
}

void Steady::put_back(const Frame& held, bool smooth, Frame& seen) const {
  move_frame(held, -shift_, smooth ? cv::INTER_LINEAR : cv::INTER_NEAREST,
             smooth ? cv::BORDER_REPLICATE : cv::BORDER_CONSTANT, seen);
}

cv::Point2d Steady::shift_of(const Frame& frame) const {
  const std::vector<cv::Mat> pictures = pyramid(copy_of(frame));
  cv::Point2d d(0, 0);
  for (std::size_t level = levels_.size(); level-- > 0;) {
    d *= 2;
    refine(levels_[level], pictures[level], d);
  }
  const double most = farthest * double(frame.shape.width);
  return cv::norm(d) * scale_ <= most ? d * scale_ : cv::Point2d(0, 0);
}

void Steady::refine(const Level& level, const cv::Mat& picture, cv::Point2d& d) const {
  constexpr double settled = 0.01;
  const double light = cv::mean(picture)[0] / level.mean;
  for (int step = 0; step < steps; ++step) {
    const cv::Mat here = moved(picture, d, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    double xx = 0, xy = 0, yy = 0, xe = 0, ye = 0;
    for (int row = 1; row + 1 < here.rows; ++row) {
      const auto* const v = here.ptr<float>(row);
      const auto* const b = level.picture.ptr<float>(row);
      const auto* const gx = level.x.ptr<float>(row);
      const auto* const gy = level.y.ptr<float>(row);
      for (int column = 1; column + 1 < here.cols; ++column) {
        const double e = double(v[column]) - light * double(b[column]);
        const double x = light * double(gx[column]), y = light * double(gy[column]);
        const double weight = 1 / (1 + e * e / (robust * robust));
        xx += weight * x * x;
        xy += weight * x * y;
        yy += weight * y * y;
        xe += weight * x * e;
        ye += weight * y * e;
      }
    }
    const double determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-3 * xx * yy)) return;  // edges of one direction only say nothing
    const cv::Point2d move((xy * ye - yy * xe) / determinant, (xy * xe - xx * ye) / determinant);
    d += move;
    if (cv::norm(move) < settled) return;
  }
}

}  // namespace tamis
