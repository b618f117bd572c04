// The parts of the extension module, one file each.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "tamis/settings.hpp"

namespace tamis::python {

// (name, default, allowed values, meaning) of each
pybind11::list as_rows(const std::vector<FieldDescription>& descriptions);

// For classes without a state to pickle: refused also where pybind11 would end the process, which
// is with the protocols 0 and 1.
template <class Class>
void never_pickle(Class& bound) {
  bound.def(
      "__reduce_ex__", [](const pybind11::object& self, int /*protocol*/) -> pybind11::object {
        const auto name = pybind11::type::of(self).attr("__name__").template cast<std::string>();
        throw pybind11::type_error("cannot pickle '" + name + "' object");
      });
}

void bind_errors(pybind11::module_& module);
void bind_settings(pybind11::module_& module);
void bind_estimators(pybind11::module_& module);
void bind_video(pybind11::module_& module);

}  // namespace tamis::python
