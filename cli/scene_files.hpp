// The outputs of `tamis separate`: background, foreground, mask, and a panel of all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common.hpp"
#include "tamis/io/writer.hpp"
#include "tamis/video/frame_source.hpp"
#include "tamis/video/separation.hpp"

namespace tamis {

struct ScenePaths {
  std::string background, foreground, mask, panel;

  std::vector<std::string> all() const { return {background, foreground, mask, panel}; }
};

// Frame, background, foreground and mask side by side, each under its name. Small frames are
// enlarged, so that the names can be read.
Frame scene_panel(const Frame& frame, const Frame& background, const Frame& foreground,
                  const Frame& mask);

// A frame with the size of another: scaled to fit, its shape kept, black around it.
Frame fitted(const Frame& frame, const FrameShape& shape, bool smooth);

class SceneFiles {
 public:
  // The source must outlive this: it knows the names of images.
  SceneFiles(const ScenePaths& paths, const FrameSource& source, bool force);

  void write(const SeparatedFrame& result);
  void finish();

 private:
  using Out = std::unique_ptr<Writer<float>>;
  Out open(const std::string& path, const FrameShape& shape) const;
  void put(Writer<float>& out, const Frame& frame, Index number);

  const FrameSource& source_;
  FrameShape shape_;
  bool force_;
  Out background_, foreground_, mask_, panel_;
  Matrix<float> row_;
};

}  // namespace tamis
