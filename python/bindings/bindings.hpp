// The parts of the extension module, one file each.
#pragma once

#include <pybind11/pybind11.h>

namespace tamis::python {

void bind_errors(pybind11::module_& module);
void bind_settings(pybind11::module_& module);
void bind_estimators(pybind11::module_& module);

}  // namespace tamis::python
