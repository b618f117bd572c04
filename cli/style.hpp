// How all pictures look.
#pragma once

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

namespace tamis::picture::style {

// Colours are blue, green, red.
inline const cv::Scalar paper(255, 255, 255);
inline const cv::Scalar ink(40, 34, 30);
inline const cv::Scalar faint(214, 208, 204);
inline const cv::Scalar accent(180, 98, 32);
inline constexpr int margin = 24;
inline constexpr int gap = 8;
inline constexpr int font = cv::FONT_HERSHEY_SIMPLEX;

inline cv::Size text_size(const std::string& text, double scale) {
  int baseline = 0;
  return cv::getTextSize(text, font, scale, 1, &baseline);
}

// `origin` is the left end of the baseline.
inline void put_text(cv::Mat& image, const std::string& text, cv::Point origin, double scale) {
  cv::putText(image, text, origin, font, scale, ink, 1, cv::LINE_AA);
}

}  // namespace tamis::picture::style
