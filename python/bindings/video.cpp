// A scene, frame by frame: the library's BackgroundModel.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstring>
#include <map>
#include <mutex>

#include "bindings.hpp"
#include "tamis/video/separation.hpp"

namespace py = pybind11;

namespace tamis::python {
namespace {

using Bytes = py::array_t<std::uint8_t, py::array::c_style>;

Frame frame_of(const Bytes& array) {
  Frame frame({array.shape(0), array.shape(1), array.ndim() == 3 ? array.shape(2) : 1});
  std::memcpy(frame.data.data(), array.data(), frame.data.size());
  return frame;
}

Bytes array_of(const Frame& frame) {
  std::vector<py::ssize_t> shape{frame.shape.height, frame.shape.width};
  if (frame.shape.channels > 1) shape.push_back(frame.shape.channels);
  Bytes array(shape);
  std::memcpy(array.mutable_data(), frame.data.data(), frame.data.size());
  return array;
}

SceneSettings settings_of(const std::map<std::string, std::string>& values) {
  SceneSettings settings;
  for (const auto& [name, text] : values) settings.set(name, text);
  return settings;
}

// Several threads may use it, one after the other.
class Scene final : SceneObserver {
 public:
  explicit Scene(const std::map<std::string, std::string>& values)
      : model_(settings_of(values), this) {}

  Bytes apply(const Bytes& array) {
    const Frame frame = frame_of(array);
    Frame mask;
    {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      mask = model_.apply(frame);
    }
    return array_of(mask);
  }

  Bytes background() {
    Frame background;
    {
      const py::gil_scoped_release release;
      const std::lock_guard lock(mutex_);
      background = model_.background();
    }
    return array_of(background);
  }

  std::vector<Index> restarts() {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return restarts_;
  }

 private:
  void on_restart(Index frame, Restart /*why*/) override { restarts_.push_back(frame); }

  std::mutex mutex_;
  std::vector<Index> restarts_;
  BackgroundModel model_;
};

}  // namespace

void bind_video(py::module_& module) {
  module.def(
      "describe_scene_settings", [] { return as_rows(describe_scene_settings()); },
      "Name, default, allowed values and meaning of every setting of a scene.");
  py::class_<Scene> bound(module, "Scene", "See tamis.video.BackgroundModel.");
  never_pickle(bound);
  bound.def(py::init<const std::map<std::string, std::string>&>(), py::arg("settings"))
      .def("apply", &Scene::apply, py::arg("frame"))
      .def("background", &Scene::background)
      .def("restarts", &Scene::restarts);
}

}  // namespace tamis::python
