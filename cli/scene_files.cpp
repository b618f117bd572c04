#include "scene_files.hpp"

#include <algorithm>
#include <array>
#include <opencv2/imgproc.hpp>

#include "outputs.hpp"
#include "style.hpp"

namespace tamis {
namespace {

cv::Mat view(const Frame& frame) {
  return {int(frame.shape.height), int(frame.shape.width),
          frame.shape.channels == 3 ? CV_8UC3 : CV_8U,
          const_cast<std::uint8_t*>(frame.data.data())};  // NOLINT(*-const-cast): only read
}

cv::Mat in_colour(const Frame& frame) {
  if (frame.shape.channels == 3) return view(frame);
  cv::Mat colour;
  cv::cvtColor(view(frame), colour, cv::COLOR_GRAY2RGB);
  return colour;
}

}  // namespace

Frame scene_panel(const Frame& frame, const Frame& background, const Frame& foreground,
                  const Frame& mask) {
  constexpr int readable = 200;  // pixels that a name needs
  constexpr double text_scale = 0.5;
  constexpr int caption = 24;
  namespace style = picture::style;
  const int scale = std::max(1, (readable + int(frame.shape.width) - 1) / int(frame.shape.width));
  const int width = int(frame.shape.width) * scale, height = int(frame.shape.height) * scale;
  const std::array tiles{std::pair{"frame", &frame}, std::pair{"background", &background},
                         std::pair{"foreground", &foreground}, std::pair{"mask", &mask}};
  const int count = int(tiles.size());
  Frame panel({height + caption + style::gap, count * width + (count + 1) * style::gap, 3});
  cv::Mat page = view(panel);
  page = style::paper;
  int left = style::gap;
  for (const auto& [name, tile] : tiles) {
    style::put_text(page, name, {left, caption - style::gap}, text_scale);
    cv::resize(in_colour(*tile), page(cv::Rect(left, caption, width, height)), {width, height}, 0,
               0, cv::INTER_NEAREST);
    left += width + style::gap;
  }
  return panel;
}

Frame fitted(const Frame& frame, const FrameShape& shape, bool smooth) {
  FrameShape wanted = shape;
  wanted.channels = frame.shape.channels;
  if (frame.shape == wanted) return frame;
  Frame result(wanted);
  const double scale = std::min(double(wanted.width) / double(frame.shape.width),
                                double(wanted.height) / double(frame.shape.height));
  const int width = std::max(1, int(double(frame.shape.width) * scale));
  const int height = std::max(1, int(double(frame.shape.height) * scale));
  const cv::Rect place((int(wanted.width) - width) / 2, (int(wanted.height) - height) / 2, width,
                       height);
  cv::Mat part = view(result)(place);
  cv::resize(view(frame), part, part.size(), 0, 0,
             !smooth ? cv::INTER_NEAREST : (scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR));
  return result;
}

SceneFiles::SceneFiles(const ScenePaths& paths, const FrameSource& source, bool force)
    : source_(source), shape_(source.shape()), force_(force) {
  const Frame frame(shape_), gray({shape_.height, shape_.width, 1});
  background_ = open(paths.background, shape_);
  foreground_ = open(paths.foreground, shape_);
  mask_ = open(paths.mask, gray.shape);
  if (!paths.panel.empty())
    panel_ = open(paths.panel, scene_panel(frame, frame, frame, gray).shape);
}

SceneFiles::Out SceneFiles::open(const std::string& path, const FrameShape& shape) const {
  WriterOptions options;
  options.format.shape = {shape.height, shape.width};
  if (shape.channels == 3) options.format.shape.push_back(3);
  options.format.type = ElementType::u8;
  options.format.unit = unit_of(ElementType::u8);
  options.format.frame_rate = source_.frame_rate();
  options.rows = source_.frames();
  options.force = force_;
  options.name = [this](Index row) { return source_.name(row); };
  return Outputs(options, 0).samples<float>(path);
}

void SceneFiles::put(Writer<float>& out, const Frame& frame, Index number) {
  row_ = Eigen::Map<const Vector<std::uint8_t>>(frame.data.data(), Index(frame.data.size()))
             .cast<float>() /
         255.f;
  out.write(row_, {number, {}});
}

void SceneFiles::write(const SeparatedFrame& result) {
  const Frame mask = fitted(result.mask, shape_, false);
  const bool pictures = background_ || foreground_ || panel_;
  if (mask_) put(*mask_, mask, result.number);
  if (!pictures) return;
  const Frame background = fitted(result.background, shape_, true);
  if (background_) put(*background_, background, result.number);
  if (!foreground_ && !panel_) return;
  const Frame frame = fitted(result.frame, shape_, true);
  const Frame moving = foreground(frame, mask);
  if (foreground_) put(*foreground_, moving, result.number);
  if (panel_) put(*panel_, scene_panel(frame, background, moving, mask), result.number);
}

void SceneFiles::finish() {
  for (const Out* out : {&background_, &foreground_, &mask_, &panel_})
    if (*out) (*out)->finish();
}

}  // namespace tamis
