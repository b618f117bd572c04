#include "video/regions.hpp"

#include <algorithm>
#include <cstring>

namespace tamis {
namespace {

const std::uint8_t* find_byte(const std::uint8_t* from, const std::uint8_t* end,
                              std::uint8_t value) {
  const void* const found = std::memchr(from, value, std::size_t(end - from));
  return found == nullptr ? end : static_cast<const std::uint8_t*>(found);
}

}  // namespace

void Regions::find(const std::uint8_t* picture, Index height, Index width, std::uint8_t value,
                   Neighbours neighbours) {
  const auto other = std::uint8_t(255 - value);
  const Index reach = neighbours == Neighbours::eight ? 1 : 0;
  runs_.clear();
  parent_.clear();
  std::size_t above = 0;
  for (Index row = 0; row < height; ++row) {
    const std::size_t here = runs_.size();
    const std::uint8_t* const end = picture + (row + 1) * width;
    const std::uint8_t* at = picture + row * width;
    while ((at = find_byte(at, end, value)) != end) {
      const std::uint8_t* const stop = find_byte(at, end, other);
      parent_.push_back(Index(runs_.size()));
      runs_.push_back({at - picture, stop - picture, 0});
      at = stop;
    }
    join_rows(above, here, runs_.size(), width, reach);
    above = here;
  }
  number_regions();
}

Index Regions::root(Index run) {
  while (parent_[std::size_t(run)] != run) {
    Index& up = parent_[std::size_t(run)];
    up = parent_[std::size_t(up)];
    run = up;
  }
  return run;
}

// Runs [above, here) are of one row, [here, end) of the next.
void Regions::join_rows(std::size_t above, std::size_t here, std::size_t end, Index width,
                        Index reach) {
  std::size_t a = above;
  for (std::size_t b = here; b < end; ++b) {
    const Index begin = runs_[b].begin - width - reach;
    const Index stop = runs_[b].end - width + reach;
    while (a < here && runs_[a].end <= begin) ++a;
    for (std::size_t c = a; c < here && runs_[c].begin < stop; ++c) {
      const Index one = root(Index(b)), two = root(Index(c));
      parent_[std::size_t(std::max(one, two))] = std::min(one, two);
    }
  }
}

void Regions::number_regions() {
  areas_.clear();
  for (std::size_t n = 0; n < runs_.size(); ++n) {
    const Index first = root(Index(n));
    if (first == Index(n)) {
      runs_[n].region = Index(areas_.size());
      areas_.push_back(0);
    } else {
      runs_[n].region = runs_[std::size_t(first)].region;
    }
    areas_[std::size_t(runs_[n].region)] += runs_[n].end - runs_[n].begin;
  }
}

}  // namespace tamis
