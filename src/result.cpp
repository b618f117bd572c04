#include "tamis/result.hpp"

#include <algorithm>

namespace tamis {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::completed:
      return "completed";
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::diverged:
      return "diverged";
  }
  return "unknown";
}

void Trace::record(Index batch, const TracePoint& point) {
  constexpr Index points_per_doubling = 64;
  points_.push_back(point);
  next_ = batch + std::max<Index>(1, batch / points_per_doubling);
}

}  // namespace tamis
