#include "panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <opencv2/imgproc.hpp>

#include "io/image_file.hpp"
#include "io/picture.hpp"
#include "picture.hpp"
#include "style.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t most_in_one = 4;  // pictures
constexpr int widest = 640;             // pixels of a tile
constexpr int least = 160;

// 8 bits in colour, of a size to look at; pixels stay square.
cv::Mat tile(const Vector<float>& pixels, SampleFormat format, float white) {
  format.type = ElementType::u8;
  format.unit = unit_of(format.type);
  cv::Mat picture = to_picture<float>(pixels / white, format, false);
  if (picture.channels() == 1) cv::cvtColor(picture.clone(), picture, cv::COLOR_GRAY2BGR);
  const int side = std::max(picture.rows, picture.cols);
  cv::Mat sized = picture;
  if (side > widest) {
    const double scale = double(widest) / side;
    cv::resize(picture, sized, {}, scale, scale, cv::INTER_AREA);
  } else if (side < least) {
    const int scale = (least + side - 1) / side;
    cv::resize(picture, sized, {}, scale, scale, cv::INTER_NEAREST);
  }
  return sized;
}

// Tiles below each other, left-aligned
cv::Mat stacked(const std::vector<cv::Mat>& tiles) {
  cv::Mat column;
  for (const cv::Mat& one : tiles) {
    cv::Mat below;
    const int width = std::max(column.cols, one.cols);
    const auto widen = [&](const cv::Mat& image, int top) {
      cv::Mat wide;
      cv::copyMakeBorder(image, wide, top, 0, 0, width - image.cols, cv::BORDER_CONSTANT,
                         picture::style::paper);
      return wide;
    };
    if (column.empty()) {
      column = one;
      continue;
    }
    cv::vconcat(widen(column, 0), widen(one, picture::style::gap), below);
    column = below;
  }
  return column;
}

}  // namespace

void add_panel_flag(CLI::App& command, std::string& path) {
  command
      .add_option("--panel", path,
                  "Before and after side by side: a .png for the first pictures, or a folder with "
                  "one for each")
      ->type_name("FILE")
      ->group("Output");
}

PanelWriter::PanelWriter(const std::string& path, bool force) {
  if (path.empty()) return;
  in_one_ = is_image_name(path);
  if (in_one_ && std::filesystem::path(path).extension() != ".png")
    throw SettingsError(path + ": a panel is a .png, or a folder of them");
  out_ = create_photos(path, force);
}

void PanelWriter::add(const std::string& name, const SampleFormat& format,
                      const std::vector<PanelColumn>& columns) {
  if (in_one_ && rows_.size() == most_in_one) return;
  // Numbers that are not integers need not end at 1.
  const bool numbers = unit_of(format.type) == 1;
  const float white = numbers ? std::max(1.F, columns.front().pixels.maxCoeff()) : 1.F;
  captions_.clear();
  std::vector<cv::Mat> row;
  for (const PanelColumn& column : columns) {
    captions_.push_back(column.caption);
    row.push_back(tile(column.pixels, format, column.one_is_white ? 1.F : white));
  }
  if (in_one_) {
    rows_.push_back(row);
    return;
  }
  std::vector<picture::Panel> panels;
  for (std::size_t i = 0; i < row.size(); ++i) panels.push_back({captions_[i], row[i]});
  const std::string stem = std::filesystem::path(name).stem().string();
  out_->write((stem.empty() ? fmt::format("{:06}", panels_) : stem) + ".png",
              picture::page(panels));
  ++panels_;
}

void PanelWriter::finish() {
  if (!out_) return;
  if (in_one_) {
    std::vector<picture::Panel> panels;
    for (std::size_t i = 0; i < captions_.size(); ++i) {
      std::vector<cv::Mat> tiles;
      for (const auto& row : rows_) tiles.push_back(row[i]);
      panels.push_back({captions_[i], stacked(tiles)});
    }
    out_->write("", picture::page(panels));
  }
  out_->finish();
}

}  // namespace tamis
