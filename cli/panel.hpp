// Before and after, side by side.
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "common.hpp"
#include "io/photo_file.hpp"
#include "tamis/io/sample_format.hpp"
#include "tamis/types.hpp"

namespace tamis {

// A column of a panel: pixels in the format of the picture, 1 being white
struct PanelColumn {
  std::string caption;
  Vector<float> pixels;
  bool one_is_white = false;  // also if the picture has larger numbers
};

// Pixels to show; what is missing is black.
template <class Pixels>
Vector<float> shown(const Pixels& pixels) {
  Vector<float> numbers = pixels.template cast<float>();
  numbers = numbers.array().isNaN().select(0.F, numbers);
  return numbers;
}

void add_panel_flag(CLI::App& command, std::string& path);

class PanelWriter {
 public:
  // path: a .png for the first pictures in one, or a folder with a panel for each picture; empty:
  // none.
  PanelWriter(const std::string& path, bool force);

  bool wanted() const { return out_ != nullptr; }
  void add(const std::string& name, const SampleFormat& format,
           const std::vector<PanelColumn>& columns);
  void finish();

 private:
  bool in_one_ = false;
  std::unique_ptr<PhotoOutput> out_;
  std::vector<std::string> captions_;
  std::vector<std::vector<cv::Mat>> rows_;  // of the one picture
  Index panels_ = 0;
};

}  // namespace tamis
