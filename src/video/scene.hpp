// One scene: what is known about a fixed camera's view, and how a frame is judged and learned from.
// See docs/video.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "tamis/video/frame.hpp"
#include "tamis/video/scene_settings.hpp"
#include "video/ghosts.hpp"
#include "video/low_rank.hpp"
#include "video/mask.hpp"
#include "video/pixels.hpp"
#include "video/steady.hpp"

namespace tamis {

class Scene {
 public:
  explicit Scene(const SceneSettings& settings);

  const FrameShape& shape() const { return shape_; }  // 0×0: not begun
  // Begins anew, from at least one frame.
  void start(std::span<const Frame> frames);

  // Fills mask() and background() and learns. False if the frame shows another scene: then nothing
  // was learned, and start() has to be called.
  bool process(const Frame& frame);
  // The same for one of the frames that the scene was started with
  void process_known(const Frame& frame);
  // Do two frames in turn, of the same shape, show different scenes? Not if the light explains it.
  static bool differ(const Frame& one, const Frame& next, const SceneSettings& settings);

  const Frame& mask() const { return steady_.active() ? seen_mask_ : mask_; }
  const Frame& background() const { return steady_.active() ? seen_background_ : shown_; }

 private:
  WarmUp settle(std::span<const Frame> frames);
  const Frame& look(const Frame& frame);
  void judge(const Frame& frame);
  void examine(const Frame& frame);
  bool is_other_scene() const;
  void make_mask(const Frame& frame);
  void mark_outliers();
  void show(const Frame& frame);
  void learn(const Frame& frame);
  void remove_ghosts();
  const std::uint8_t* covered() const { return gray() ? mask_.data.data() : covered_.data(); }
  bool gray() const { return shape_.channels == 1; }

  SceneSettings settings_;
  Executor executor_;
  LowRank low_rank_;
  MaskMaker masks_;
  GhostFinder ghosts_;
  Steady steady_;

  FrameShape shape_;
  Index frames_ = 0;
  Frame mask_, background_;
  Frame shown_;                                   // the background, without the jumps of learning
  std::vector<std::int8_t> jump_;                 // see pixels::jump
  Index since_learning_ = 0;                      // frames
  Frame held_, seen_mask_, seen_background_;      // of a camera that shakes
  std::vector<std::uint8_t> covered_, evidence_;  // per entry, if that is not per pixel
  std::vector<float> residual_, change_, slow_;   // see pixels::State
  std::vector<std::uint8_t> still_;
};

// Throws DataError.
void require_pixels(const Frame& frame);
// Throws SettingsError.
const SceneSettings& validated(const SceneSettings& settings);

}  // namespace tamis
