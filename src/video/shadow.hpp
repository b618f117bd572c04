// Is a pixel that differs from the background only in another light: in a shadow or a reflection?
//
// Light is a factor that hardly changes from pixel to pixel. So within a window of 5×5 pixels v is
// darker or brighter than b, but correlated with it: the texture is still there. This needs texture
// that stands out of the noise; on a plain wall nothing is said. In colour the factor is the same
// for all three colours, so v is close to the line through black and b.
#pragma once

#include "tamis/video/frame.hpp"
#include "tamis/video/scene_settings.hpp"

namespace tamis {

class ShadowTest {
 public:
  // All must outlive this. change: the noise of each entry, see pixels::State. step: between the
  // pixels of the window.
  ShadowTest(const SceneSettings& settings, const Frame& frame, const Frame& background,
             const float* change, int step)
      : settings_(settings), frame_(frame), background_(background), change_(change), step_(step) {}

  bool active() const { return compares_texture() || compares_colour(); }
  bool is_shadow(Index row, Index column) const {
    return (compares_texture() && keeps_texture(row, column)) ||
           (compares_colour() && keeps_colour(row * frame_.shape.width + column));
  }

 private:
  bool compares_texture() const { return settings_.shadow_match < 1; }
  bool compares_colour() const { return settings_.shadow_color > 0 && frame_.shape.channels == 3; }
  bool keeps_texture(Index row, Index column) const;
  bool keeps_colour(Index pixel) const;

  const SceneSettings& settings_;
  const Frame& frame_;
  const Frame& background_;
  const float* change_;
  Index step_;
};

}  // namespace tamis
