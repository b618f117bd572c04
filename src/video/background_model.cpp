#include <bit>
#include <utility>

#include "tamis/video/separation.hpp"
#include "video/scene.hpp"

namespace tamis {

struct BackgroundModel::Impl {
  Impl(const SceneSettings& given, SceneObserver* told)
      : settings(validated(given)), observer(told), scene(settings) {}

  SceneSettings settings;
  SceneObserver* observer;
  Scene scene;
  std::vector<Frame> first;  // frames of the scene, until there are enough for a lasting start
  bool complete = false;
  Index frames = 0;

  void apply(const Frame& frame) {
    require_pixels(frame);
    const bool resized = frames > 0 && frame.shape != scene.shape();
    if (frames == 0 || resized) {
      begin(frame, Restart::size);
    } else if (complete) {
      if (!scene.process(frame)) begin(frame, Restart::cut);
    } else if (Scene::differ(first.back(), frame, settings)) {
      begin(frame, Restart::cut);
    } else {
      first.push_back(frame);
      go_on(frame);
    }
    ++frames;
  }

  void begin(const Frame& frame, Restart why) {
    if (frames > 0 && observer != nullptr) observer->on_restart(frames, why);
    first = {frame};
    complete = false;
    go_on(frame);
  }

  // The start is made again whenever twice as much is known.
  void go_on(const Frame& frame) {
    complete = Index(first.size()) >= settings.warmup;
    if (complete || std::has_single_bit(first.size())) scene.start(first);
    if (complete) first.clear();
    scene.process_known(frame);
  }
};

BackgroundModel::BackgroundModel(const SceneSettings& settings, SceneObserver* observer)
    : impl_(std::make_unique<Impl>(settings, observer)) {}
BackgroundModel::~BackgroundModel() = default;
BackgroundModel::BackgroundModel(BackgroundModel&&) noexcept = default;
BackgroundModel& BackgroundModel::operator=(BackgroundModel&&) noexcept = default;

const Frame& BackgroundModel::apply(const Frame& frame) {
  impl_->apply(frame);
  return impl_->scene.mask();
}

const Frame& BackgroundModel::background() const { return impl_->scene.background(); }

}  // namespace tamis
