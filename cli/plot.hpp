// A curve on a page.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace tamis::picture {

struct Curve {
  std::string title;  // ASCII, as the labels
  std::string x_label;
  std::string y_label;
  std::vector<cv::Point2d> points;  // in order of x
};

// Both axes are linear, begin at 0 or below and have round numbers on them.
cv::Mat plot(const Curve& curve);

}  // namespace tamis::picture
