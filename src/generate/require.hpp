// Checks of the generators' options.
#pragma once

#include <fmt/format.h>

#include "tamis/error.hpp"

namespace tamis {

template <class Value>
void require(bool holds, const char* field, Value value, const char* rule) {
  if (!holds) throw SettingsError(fmt::format("{} = {} must be {}", field, value, rule));
}

inline void require_share(const char* field, double value) {
  require(value >= 0 && value <= 1, field, value, "in [0, 1]");
}

}  // namespace tamis
