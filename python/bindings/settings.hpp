// Settings come from Python as JSON, so that their names and values are known in one place only.
#pragma once

#include <string>

#include "tamis/settings.hpp"

namespace tamis::python {

// nan_is_missing: where the algorithm can do with missing entries, whatever the JSON says of them
Settings read_settings(const std::string& json, bool nan_is_missing);

}  // namespace tamis::python
