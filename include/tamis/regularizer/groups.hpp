// Walking a vector group by group. An empty list of groups is one group that holds everything.
#pragma once

#include "tamis/types.hpp"

namespace tamis {

// Calls visit(xi, at) per group: xi its length, at(i) the index of its i-th member.
template <class Visit>
void for_each_group(const Groups& groups, Index size, Visit&& visit) {
  if (groups.empty()) {
    visit(size, [](Index i) { return i; });
    return;
  }
  for (const auto& group : groups) {
    visit(Index(group.size()), [&group](Index i) { return group[std::size_t(i)]; });
  }
}

}  // namespace tamis
