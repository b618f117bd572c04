#include "tamis/result.hpp"

namespace tamis {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::completed:
      return "completed";
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::interrupted:
      return "interrupted";
    case Status::diverged:
      return "diverged";
  }
  return "unknown";
}

Trace::Trace(std::size_t capacity) : capacity_(capacity) { points_.reserve(capacity); }

void Trace::record(Index batch, const TracePoint& point) {
  if (!due(batch)) return;
  if (points_.size() == capacity_) {
    // Batches are recorded at multiples of the stride, the first at one stride: keep every second
    // one of them.
    std::size_t kept = 0;
    for (std::size_t i = 1; i < points_.size(); i += 2) points_[kept++] = points_[i];
    points_.resize(kept);
    stride_ *= 2;
    if (!due(batch)) return;
  }
  points_.push_back(point);
}

}  // namespace tamis
