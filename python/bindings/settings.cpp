#include "settings.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"

namespace py = pybind11;

namespace tamis::python {
py::list as_rows(const std::vector<FieldDescription>& descriptions) {
  py::list rows;
  for (const FieldDescription& row : descriptions)
    rows.append(py::make_tuple(row.name, row.default_value, row.allowed, row.help));
  return rows;
}

Settings read_settings(const std::string& json, bool nan_is_missing) {
  Settings settings = Settings::from_json(json);
  if (nan_is_missing) {
    settings.missing = std::visit([](const auto& algorithm) { return algorithm.scope.missing; },
                                  settings.algorithm);
  }
  return settings;
}

void bind_settings(py::module_& module) {
  module.def(
      "describe_settings", [] { return as_rows(describe_settings()); },
      "Name, default, allowed values and meaning of every setting.");
  module.def(
      "describe_choices", [] { return as_rows(describe_choices()); },
      "The same for the options of every choice and their parameters.");
}

}  // namespace tamis::python
