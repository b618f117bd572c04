#include "model_state.hpp"

#include <pybind11/stl.h>

#include <string_view>

namespace py = pybind11;

namespace tamis::python {
namespace {

template <class Number>
py::object to_python(const Matrix<Number>& X) {
  return py::array_t<Number>({X.cols(), X.rows()}, X.data());
}
template <class Value>
py::object to_python(const Value& value) {
  return py::cast(value);
}

template <class Number>
void from_python(const py::object& object, Matrix<Number>& X) {
  const auto array = object.cast<py::array_t<Number, py::array::c_style>>();
  X = Eigen::Map<const Matrix<Number>>(array.data(), array.shape(1), array.shape(0));
}
template <class Value>
void from_python(const py::object& object, Value& value) {
  value = object.cast<Value>();
}

}  // namespace

template <class T>
py::dict model_state(Estimator<T>& estimator, bool complete) {
  return estimator.look([&](const Model<T>& model) {
    py::dict found;
    found["settings"] = model.settings.to_json();
    Model<T>::state(model, [&](std::string_view name, const auto& value) {
      if (complete || (name != "A" && name != "B")) found[py::str(name)] = to_python(value);
    });
    return found;
  });
}

template <class T>
std::unique_ptr<Estimator<T>> from_model_state(const py::dict& state) {
  Model<T> model;
  model.settings = Settings::from_json(state["settings"].cast<std::string>());
  Model<T>::state(model, [&](std::string_view name, auto& value) {
    if (const py::str key(name); state.contains(key)) from_python(py::object(state[key]), value);
  });
  if (model.A.size() == 0) model.A.setZero(model.rank(), model.rank());
  if (model.B.size() == 0) model.B.setZero(model.features(), model.rank());
  return std::make_unique<Estimator<T>>(Trainer<T>(model));
}

template py::dict model_state(Estimator<float>&, bool);
template py::dict model_state(Estimator<double>&, bool);
template std::unique_ptr<Estimator<float>> from_model_state(const py::dict&);
template std::unique_ptr<Estimator<double>> from_model_state(const py::dict&);

}  // namespace tamis::python
