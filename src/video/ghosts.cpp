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
                                            const Frame& background, const Frame& mask) {
  ghosts_.clear();
  if (!mark_still(still, age)) return ghosts_;
  measure_edges(slow, background);
  cv::erode(cv::Mat(still_.size(), CV_8U, const_cast<std::uint8_t*>(mask.data.data())), inside_,
            cv::getStructuringElement(cv::MORPH_RECT, {5, 5}));
  regions_.find(still_.data, shape_.height, shape_.width, yes, Neighbours::eight);
  const std::vector<Outline> outlines = measure_outlines();
  bool any = false;
  still_ = 0;
  for (const Regions::Run& run : regions_.runs()) {
    const auto region = std::size_t(run.region);
    if (regions_.areas()[region] < smallest || !outlines[region].is_ghost()) continue;
    std::fill(still_.data + run.begin, still_.data + run.end, yes);
    any = true;
  }
  if (any) collect();
  return ghosts_;
}

// Where the mask ends with the region, there is an outline to look at. Where it goes on, something
// moves beside what is still, or the middle of something is more still than its rim.
bool GhostFinder::Outline::is_ghost() const {
  return 2 * at_edge >= length && in_background > outlined * in_frame;
}

std::vector<GhostFinder::Outline> GhostFinder::measure_outlines() const {
  std::vector<Outline> outlines(std::size_t(regions_.count()));
  for (const Regions::Run& run : regions_.runs()) {
    Outline& outline = outlines[std::size_t(run.region)];
    for (Index i = run.begin; i < run.end; ++i) {
      const Index y = i / shape_.width, x = i % shape_.width;
      for (const auto& [dy, dx] : {std::pair<Index, Index>{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        const Index ny = y + dy, nx = x + dx;
        if (ny < 0 || nx < 0 || ny >= shape_.height || nx >= shape_.width) continue;
        const Index neighbour = ny * shape_.width + nx;
        if (still_.data[neighbour] != 0) continue;
        ++outline.length;
        if (inside_.data[neighbour] != 0) continue;
        ++outline.at_edge;
        for (const Index side : {i, neighbour}) {
          outline.in_frame += double(frame_edges_.ptr<float>()[side]);
          outline.in_background += double(background_edges_.ptr<float>()[side]);
        }
      }
    }
  }
  return outlines;
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
