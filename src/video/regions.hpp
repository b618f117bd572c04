// Connected regions of a picture of bytes, as runs of pixels. What moves covers little of a frame,
// so there are few runs, and finding them costs little more than looking at every byte.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

enum class Neighbours { four, eight };

class Regions {
 public:
  struct Run {
    Index begin, end;  // pixels of the picture, all in one row
    Index region;
  };

  // Regions of pixels that are `value`, which no other byte may resemble: 0 or 255
  void find(const std::uint8_t* picture, Index height, Index width, std::uint8_t value,
            Neighbours neighbours);

  const std::vector<Run>& runs() const { return runs_; }  // in the order of the picture
  Index count() const { return Index(areas_.size()); }
  const std::vector<Index>& areas() const { return areas_; }

 private:
  Index root(Index run);
  void join_rows(std::size_t above, std::size_t here, std::size_t end, Index width, Index reach);
  void number_regions();

  std::vector<Run> runs_;
  std::vector<Index> parent_;  // per run, towards the first of its region
  std::vector<Index> areas_;   // per region
};

}  // namespace tamis
