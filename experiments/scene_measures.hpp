// How well a scene is split into background and foreground, against its temporal median: where a
// frame is near the median nothing moves there, where it is far something does.
#pragma once

#include "common.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

class SceneJudge {
 public:
  explicit SceneJudge(const Matrix<float>& frames);

  // Background and foreground of every frame. background_brightness: mean of the backgrounds
  // relative to the median's; background_error: mean absolute difference from the median, gray
  // levels of 255; foreground_residue: mean absolute foreground where nothing moves, gray levels;
  // foreground_kept: share of the frame's difference from the median, where something moves, that
  // is in the foreground.
  Json measure(const Matrix<float>& background, const Matrix<float>& foreground) const;

 private:
  const Matrix<float>& frames_;
  Vector<float> median_;
};

}  // namespace tamis::experiments
