#include "tamis/video/separation.hpp"

#include <algorithm>
#include <utility>

#include "tamis/error.hpp"
#include "video/scene.hpp"

namespace tamis {

void require_pixels(const Frame& frame) {
  const FrameShape& shape = frame.shape;
  if (shape.pixels() <= 0 || (shape.channels != 1 && shape.channels != 3) ||
      Index(frame.data.size()) != shape.entries())
    throw DataError("a frame needs pixels of one or three channels, height × width of them");
}

const SceneSettings& validated(const SceneSettings& settings) {
  settings.validate();
  return settings;
}

struct Separation::Impl {
  Impl(const SceneSettings& given, SceneObserver* told)
      : settings(validated(given)), observer(told), scene(settings) {}

  SceneSettings settings;
  SceneObserver* observer;
  Scene scene;
  bool begun = false;
  std::vector<Frame> waiting;  // for the start of a scene
  Index emitted = 0;

  void push(Frame frame, const Emit& emit) {
    require_pixels(frame);
    if (begun) {
      if (frame.shape != scene.shape()) {
        begin_anew(Restart::size);
      } else if (scene.process(frame)) {
        return put(frame, emit);
      } else {
        begin_anew(Restart::cut);
      }
    } else if (!waiting.empty()) {
      const Frame& last = waiting.back();
      const bool resized = frame.shape != last.shape;
      if (resized || Scene::differ(last, frame, settings)) {
        release(emit);
        begin_anew(resized ? Restart::size : Restart::cut);
      }
    }
    waiting.push_back(std::move(frame));
    if (Index(waiting.size()) >= settings.warmup) release(emit);
  }

  // The scene begins with the frames that wait.
  void release(const Emit& emit) {
    if (waiting.empty()) return;
    scene.start(waiting);
    begun = true;
    for (const Frame& frame : waiting) {
      scene.process_known(frame);
      put(frame, emit);
    }
    waiting.clear();
  }

  void put(const Frame& frame, const Emit& emit) {
    emit({emitted, frame, scene.background(), scene.mask()});
    ++emitted;
  }

  void begin_anew(Restart why) {
    begun = false;
    if (observer != nullptr) observer->on_restart(emitted, why);
  }
};

Separation::Separation(const SceneSettings& settings, SceneObserver* observer)
    : impl_(std::make_unique<Impl>(settings, observer)) {}
Separation::~Separation() = default;
Separation::Separation(Separation&&) noexcept = default;
Separation& Separation::operator=(Separation&&) noexcept = default;

void Separation::push(Frame frame, const Emit& emit) { impl_->push(std::move(frame), emit); }
void Separation::finish(const Emit& emit) { impl_->release(emit); }

Frame foreground(const Frame& frame, const Frame& mask) {
  Frame result = frame;
  const Index C = frame.shape.channels;
  for (Index i = 0; i < frame.shape.pixels(); ++i)
    if (mask.data[std::size_t(i)] == 0)
      std::fill_n(result.data.begin() + i * C, C, std::uint8_t(0));
  return result;
}

}  // namespace tamis
