// The parts of the extension module, one file each.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "tamis/settings.hpp"

namespace tamis::python {

// (name, default, allowed values, meaning) of each
pybind11::list as_rows(const std::vector<FieldDescription>& descriptions);

void bind_errors(pybind11::module_& module);
void bind_settings(pybind11::module_& module);
void bind_estimators(pybind11::module_& module);
void bind_video(pybind11::module_& module);

}  // namespace tamis::python
