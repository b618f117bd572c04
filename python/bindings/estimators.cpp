// The names under which Python sees the estimators, one class for each precision.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "estimator.hpp"
#include "model_state.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace py = pybind11;

namespace tamis::python {
namespace {

// (K, F), the bytes of W
template <class T>
py::array_t<T> components(Estimator<T>& estimator) {
  return estimator.look([](const Model<T>& model) {
    return py::array_t<T>({model.rank(), model.features()}, model.W.data());
  });
}

template <class T, class Class, class Get>
void property(Class& bound, const char* name, const Get& get) {
  bound.def_property_readonly(name, [get](Estimator<T>& estimator) { return estimator.look(get); });
}

// pybind11 leaves this to Python, which for the protocols 0 and 1 makes an object of pybind11's own
// base class: that ends the process.
template <class Class>
void pickle_by_state(Class& bound) {
  bound.def("__reduce_ex__", [](const py::object& self, int /*protocol*/) {
    const py::object make = py::module_::import("copyreg").attr("__newobj__");
    return py::make_tuple(make, py::make_tuple(py::type::of(self)), self.attr("__getstate__")());
  });
}

template <class T>
void bind_estimator(py::module_& module, const char* name) {
  using namespace py::literals;
  using Self = Estimator<T>;
  py::class_<Self> bound(module, name);
  bound
      .def(py::init([](const std::string& settings, bool nan_is_missing) {
             return std::make_unique<Self>(read_settings(settings, nan_is_missing));
           }),
           "settings"_a, "nan_is_missing"_a)
      .def("fit", &Self::fit, "X"_a, "weights"_a, "callback"_a, "interval"_a, "comm"_a = py::none(),
           "async_"_a = false)
      .def("partial_fit", &Self::partial_fit, "X"_a, "weights"_a, "comm"_a = py::none(),
           "counts"_a = std::vector<Index>())
      .def("end_pass", &Self::end_pass)
      .def("transform", &Self::transform, "X"_a, "outliers"_a, "options"_a)
      .def("inverse_transform", &Self::inverse_transform, "codes"_a)
      .def("absolute_errors", &Self::absolute_errors, "X"_a, "weights"_a, "options"_a)
      .def("denoise", &Self::denoise, "X"_a, "threshold"_a, "options"_a)
      .def("save", &Self::save, "path"_a)
      .def("model_state", &model_state<T>, "complete"_a)
      .def_static("from_model_state", &from_model_state<T>, "state"_a)
      .def(py::pickle([](Self& self) { return to_bytes(self); }, &from_bytes<T>));
  pickle_by_state(bound);
  bound.attr("dtype") = py::dtype::of<T>();
  bound.def_property_readonly("components", &components<T>);
  using M = const Model<T>&;
  property<T>(bound, "settings", [](M model) { return model.settings.to_json(); });
  property<T>(bound, "rank", [](M model) { return model.rank(); });
  property<T>(bound, "features", [](M model) { return model.features(); });
  property<T>(bound, "shape", [](M model) { return model.shape; });
  property<T>(bound, "unit", [](M model) { return model.unit; });
  property<T>(bound, "samples", [](M model) { return model.samples; });
  property<T>(bound, "batches", [](M model) { return model.batches; });
  property<T>(bound, "epochs", [](M model) { return model.epoch; });
  property<T>(bound, "lambda_", [](M model) { return model.lambda; });
  property<T>(bound, "sigma", [](M model) { return model.sigma; });
  property<T>(bound, "objective", [](M model) { return model.surrogate(); });
}

void bind_progress(py::module_& module) {
  py::class_<Progress> bound(module, "Progress", "How far a fit has come.");
  never_pickle(bound);
  bound.def_readonly("samples", &Progress::samples, "Samples seen by this fit.")
      .def_readonly("total", &Progress::total, "Samples there will be, or None.")
      .def_readonly("batches", &Progress::batches, "Mini-batches seen by this fit.")
      .def_readonly("epoch", &Progress::epoch, "Passes completed.")
      .def_readonly("loss", &Progress::loss, "Mean loss of this mini-batch.")
      .def_readonly("objective", &Progress::objective, "The objective when it was last looked at.")
      .def_readonly("lambda_", &Progress::lambda, "The outlier penalty in use.");
}

}  // namespace

void bind_estimators(py::module_& module) {
  using namespace py::literals;
  bind_progress(module);
  py::class_<EncodeOptions> options(module, "EncodeOptions");
  never_pickle(options);
  options.def(py::init([](double tolerance, Index iterations, Index threads) {
                return EncodeOptions{tolerance, iterations, threads};
              }),
              "tolerance"_a, "iterations"_a, "threads"_a);
  bind_estimator<float>(module, "Estimator32");
  bind_estimator<double>(module, "Estimator64");
  module.def(
      "load",
      [](const std::string& path) -> py::object {
        if (model_type(path) == ElementType::f64) return py::cast(load_estimator<double>(path));
        return py::cast(load_estimator<float>(path));
      },
      "path"_a, "The estimator in a file, of its own precision.");
}

}  // namespace tamis::python
