// Fields have underscores in their names, flags and texts have dashes.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tamis {

inline std::string with_dashes(std::string_view name) {
  std::string result(name);
  std::ranges::replace(result, '_', '-');
  return result;
}

}  // namespace tamis
