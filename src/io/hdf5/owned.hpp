// Parts of an HDF5 file that belong to one thing. The library keeps in memory what it read at a
// place, with the size that it had then, and takes it for whatever else is said to be there.
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <map>

namespace tamis::hdf5 {

class Owned {
 public:
  // Whether nothing else has any of these bytes. The same may be said again.
  bool take(std::uint64_t begin, std::uint64_t bytes, std::uint64_t owner) {
    if (bytes == 0 || bytes > std::numeric_limits<std::uint64_t>::max() - begin) return false;
    const Part part{.end = begin + bytes, .owner = owner};
    const auto next = parts_.lower_bound(begin);
    if (next != parts_.end() && next->first == begin) return next->second == part;
    if (next != parts_.end() && next->first < part.end) return false;
    if (next != parts_.begin() && std::prev(next)->second.end > begin) return false;
    parts_.emplace_hint(next, begin, part);
    return true;
  }

 private:
  struct Part {
    std::uint64_t end = 0;
    std::uint64_t owner = 0;
    bool operator==(const Part&) const = default;
  };
  std::map<std::uint64_t, Part> parts_;  // by where they begin
};

}  // namespace tamis::hdf5
