// Pictures of samples and atoms: tiles on a white page, with captions.
#pragma once

#include <filesystem>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "tamis/types.hpp"

namespace tamis::picture {

enum class Ink {
  gray,      // 0 is paper, 1 is ink
  red_blue,  // 0 is paper, positive is red, negative is blue
};

// Of a value from −1 to 1; beyond, as at the end.
cv::Vec3b colour_of(float value, Ink ink);

struct TileLayout {
  Index height;  // of a sample, in pixels
  Index width;
  Index columns = 4;  // tiles in a row
  int scale = 4;      // screen pixels per pixel
  Ink ink = Ink::gray;
};

// The columns of X as a grid of images; a column's pixel (row, column) is entry row·width + column.
// Values beyond [−1, 1] are shown as ±1.
cv::Mat tiles(ConstMatrixRef<float> X, const TileLayout& layout);

// Each column scaled to maximum 1, as atoms have no scale of their own.
Matrix<float> unit_maximum(ConstMatrixRef<float> X);

struct Panel {
  std::string caption;  // ASCII
  cv::Mat image;
};

// Panels from left to right on one page, each with its caption above.
cv::Mat page(const std::vector<Panel>& panels);

// Written under a temporary name and renamed. Throws FileError.
void save(const std::filesystem::path& path, const cv::Mat& image);

}  // namespace tamis::picture
