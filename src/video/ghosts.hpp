// Ghosts: what stood in front of the background while that was learned, and has left.
//
// Where a mask stays and nothing moves in it, either something stands there, or it stood there in
// the first frames and its picture is in W. The outline tells: an object has edges in the frame, a
// ghost has them in the background.
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "tamis/video/frame.hpp"
#include "video/regions.hpp"

namespace tamis {

class GhostFinder {
 public:
  void start(const FrameShape& shape);

  // Pixels of the ghosts, and around them, among those that have been `still` for at least `age`
  // frames; `slow` is the mean of the latest frames. Both per entry.
  const std::vector<Index>& find(const std::uint8_t* still, int age, const float* slow,
                                 const Frame& background, const Frame& mask);

 private:
  struct Outline {
    Index length = 0, at_edge = 0;  // neighbours across it, and of those at the mask's edge
    double in_frame = 0, in_background = 0;  // sums of |gradient| there

    bool is_ghost() const;
  };
  std::vector<Outline> measure_outlines() const;
  bool mark_still(const std::uint8_t* still, int age);
  void collect();
  void measure_edges(const float* slow, const Frame& background);

  FrameShape shape_;
  cv::Mat still_, inside_, frame_, background_;  // height × width
  cv::Mat frame_edges_, background_edges_;       // |gradient|
  cv::Mat gradient_x_, gradient_y_;
  Regions regions_;
  std::vector<Index> ghosts_;
};

}  // namespace tamis
