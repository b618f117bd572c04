// Numbers in files: what is not finite is null.
#pragma once

#include <cmath>
#include <limits>

#include "common.hpp"

namespace tamis::experiments {

inline Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

inline double number_from(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tamis::experiments
