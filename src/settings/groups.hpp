// Rules for groups of indices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// Why `groups` is not a partition of 0..size−1; empty when it is, or when there are no groups.
// Without a size only what is wrong for every size is reported.
std::vector<std::string> partition_faults(std::string_view field, const Groups& groups,
                                          std::optional<Index> size);

}  // namespace tamis
