// A camera that shakes: frames moved back to where the first ones were, on average.
//
// The shift d that minimises Σ ρ(v(x + d) − g·b(x)), g the ratio of brightness, ρ robust, against a
// small copy of the background; by Gauss–Newton steps, on coarser and then finer copies (Lucas,
// Kanade 1981; Baker, Matthews 2004). Whether the camera shakes at all is decided by the first
// frames: if it does not, frames are left alone.
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "tamis/video/frame.hpp"

namespace tamis {

class Steady {
 public:
  // The first frames, moved so that they agree; empty if they do so already.
  std::vector<Frame> start(std::span<const Frame> frames, const Frame& median);
  bool active() const { return active_; }
  void stop() { active_ = false; }

  // What frames are compared with from here on
  void refer_to(const Frame& background);

  // The frame as a camera that stands still would see it; notes the shift.
  void hold(const Frame& frame, Frame& held);
  // The other way, by the shift noted last: what was found, where the camera saw it
  void put_back(const Frame& held, bool smooth, Frame& seen) const;

 private:
  // A small copy of the background and its gradient
  struct Level {
    cv::Mat picture, x, y;
    double mean;
  };

  cv::Point2d shift_of(const Frame& frame) const;
  void refine(const Level& level, const cv::Mat& picture, cv::Point2d& d) const;

  bool active_ = false;
  std::vector<Level> levels_;  // the finest first
  double scale_ = 1;           // pixels of a frame per pixel of the finest
  cv::Point2d shift_;
};

}  // namespace tamis
