// A video split into background and what moves, one pass in order.
//
// The background of a frame is Wh, as `fast` learns it; the foreground is what differs from it more
// than the noise of each pixel explains. docs/video.md tells how.
//
// Separation is for files: the first frames are kept until there are enough for a robust start, and
// then all come out; from there on each frame comes out at once. BackgroundModel is for cameras: it
// answers at once from the first frame on, and is less sure in the beginning. Neither looks at
// later frames otherwise, and both give the same bits for any number of threads.
#pragma once

#include <functional>
#include <memory>

#include "tamis/video/frame.hpp"
#include "tamis/video/scene_settings.hpp"

namespace tamis {

enum class Restart {
  cut,   // the scene changed at once, nearly everywhere
  size,  // frames have another size from here on
};

// The library never prints: whoever wants to know what happens gives it an observer.
class SceneObserver {
 public:
  virtual ~SceneObserver() = default;
  // The model began anew with this frame, counted from 0.
  virtual void on_restart(Index frame, Restart why) = 0;
};

struct SeparatedFrame {
  Index number;  // counted from 0
  const Frame& frame;
  const Frame& background;  // shaped like the frame
  const Frame& mask;        // one channel, 0 or 255
};

class Separation {
 public:
  using Emit = std::function<void(const SeparatedFrame&)>;

  // Throws SettingsError naming every broken rule.
  explicit Separation(const SceneSettings& settings = {}, SceneObserver* observer = nullptr);
  ~Separation();
  Separation(Separation&&) noexcept;
  Separation& operator=(Separation&&) noexcept;
  Separation(const Separation&) = delete;
  Separation& operator=(const Separation&) = delete;

  // The next frame; calls emit for every frame that is ready, in order. Throws DataError for an
  // empty frame.
  void push(Frame frame, const Emit& emit);
  // No more frames: those that still wait come out.
  void finish(const Emit& emit);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class BackgroundModel {
 public:
  explicit BackgroundModel(const SceneSettings& settings = {}, SceneObserver* observer = nullptr);
  ~BackgroundModel();
  BackgroundModel(BackgroundModel&&) noexcept;
  BackgroundModel& operator=(BackgroundModel&&) noexcept;
  BackgroundModel(const BackgroundModel&) = delete;
  BackgroundModel& operator=(const BackgroundModel&) = delete;

  // The mask of the next frame. Valid until the next call.
  const Frame& apply(const Frame& frame);
  // The background of the latest frame; empty before the first.
  const Frame& background() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The frame where the mask is, black elsewhere
Frame foreground(const Frame& frame, const Frame& mask);

}  // namespace tamis
