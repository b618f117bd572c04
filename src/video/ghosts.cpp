#include "video/ghosts.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace tamis {
namespace {

constexpr std::uint8_t yes = 255;
constexpr Index smallest = 10;  // pixels; an outline of fewer means nothing
constexpr double outlined = 2;  // times the edges of the frame that a ghost has

}  // namespace

void GhostFinder::start(const FrameShape& shape) {
  shape_ = shape;
  still_ = cv::Mat::zeros(int(shape.height), int(shape.width), CV_8U);
  frame_.create(still_.size(), CV_32F);
  background_.create(still_.size(), CV_32F);
}

const std::vector<Index>& GhostFinder::find(const std::uint8_t* still, int age, const float* slow,
                                            const Frame& background) {
  ghosts_.clear();
  if (!mark_still(still, age)) return ghosts_;
  measure_edges(slow, background);
  regions_.find(still_.data, shape_.height, shape_.width, yes, Neighbours::eight);
  std::vector<double> frame(std::size_t(regions_.count()), 0), model = frame;
  const auto outside = [&](int y, int x) {
    return y < 0 || x < 0 || y >= still_.rows || x >= still_.cols ||
           still_.at<std::uint8_t>(y, x) == 0;
  };
  // Both sides of the outline: pixels of the region with a neighbour outside, and that neighbour.
  for (const Regions::Run& run : regions_.runs()) {
    for (Index i = run.begin; i < run.end; ++i) {
      const int y = int(i / shape_.width), x = int(i % shape_.width);
      bool edge = false;
      for (const auto& [dy, dx] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        if (!outside(y + dy, x + dx)) continue;
        edge = true;
        const int ny = std::clamp(y + dy, 0, still_.rows - 1);
        const int nx = std::clamp(x + dx, 0, still_.cols - 1);
        frame[std::size_t(run.region)] += double(frame_edges_.at<float>(ny, nx));
        model[std::size_t(run.region)] += double(background_edges_.at<float>(ny, nx));
      }
      if (!edge) continue;
      frame[std::size_t(run.region)] += double(frame_edges_.at<float>(y, x));
      model[std::size_t(run.region)] += double(background_edges_.at<float>(y, x));
    }
  }
  bool any = false;
  still_ = 0;
  for (const Regions::Run& run : regions_.runs()) {
    const auto region = std::size_t(run.region);
    if (regions_.areas()[region] < smallest || model[region] <= outlined * frame[region]) continue;
    std::fill(still_.data + run.begin, still_.data + run.end, yes);
    any = true;
  }
  if (any) collect();
  return ghosts_;
}

// With what is around them: the edge of a ghost is too faint for a mask.
void GhostFinder::collect() {
  cv::dilate(still_, still_, cv::getStructuringElement(cv::MORPH_RECT, {5, 5}));
  for (Index i = 0; i < shape_.pixels(); ++i)
    if (still_.data[i] != 0) ghosts_.push_back(i);
}

bool GhostFinder::mark_still(const std::uint8_t* still, int age) {
  bool any = false;
  const Index C = shape_.channels;
  for (Index i = 0; i < shape_.pixels(); ++i) {
    const std::uint8_t least = *std::min_element(still + i * C, still + (i + 1) * C);
    still_.data[i] = least >= age ? yes : std::uint8_t(0);
    any = any || least >= age;
  }
  if (any)
    cv::morphologyEx(still_, still_, cv::MORPH_CLOSE,
                     cv::getStructuringElement(cv::MORPH_RECT, {3, 3}));
  return any;
}

void GhostFinder::measure_edges(const float* slow, const Frame& background) {
  const Index C = shape_.channels;
  const Index channel = C == 3 ? 1 : 0;
  auto* const frame = frame_.ptr<float>();
  auto* const model = background_.ptr<float>();
  for (Index i = 0; i < shape_.pixels(); ++i) {
    frame[i] = slow[i * C + channel];
    model[i] = float(background.data[std::size_t(i * C + channel)]);
  }
  const auto edges = [&](const cv::Mat& picture, cv::Mat& result) {
    cv::Sobel(picture, gradient_x_, CV_32F, 1, 0);
    cv::Sobel(picture, gradient_y_, CV_32F, 0, 1);
    cv::magnitude(gradient_x_, gradient_y_, result);
  };
  edges(frame_, frame_edges_);
  edges(background_, background_edges_);
}

}  // namespace tamis
