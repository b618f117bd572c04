// tamis._core: the library for Python. What users see is written in Python around it.
#include "bindings.hpp"
#include "tamis/version.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ library behind tamis.";
  module.attr("__version__") = TAMIS_VERSION;
  tamis::python::bind_errors(module);
  tamis::python::bind_settings(module);
  tamis::python::bind_estimators(module);
  tamis::python::bind_video(module);
}
