// Lists of chunks in newer HDF5 files that may become more ("extensible arrays"): blocks that
// become larger, found from one that is always there, or from blocks between.
#pragma once

#include <string_view>
#include <vector>

#include "io/hdf5/cursor.hpp"
#include "io/hdf5/owned.hpp"

namespace tamis::hdf5 {

class GrowingList {
 public:
  // Its header is there, and so long are its entries.
  GrowingList(std::uint64_t at, std::uint64_t entry, Place place, const Read& more, Owned& owned)
      : at_(at), entry_(entry), place_(place), more_(more), owned_(owned) {}

  // Whether every block says that it is of this list, and none is reached as one of another size:
  // the library keeps those that it once read.
  bool sound(std::uint64_t first_block) const;

 private:
  // Its first bytes, if it is of this list
  std::vector<std::byte> block(std::string_view signature, std::uint64_t address,
                               std::uint64_t bytes_to_read, std::uint64_t bytes) const;
  bool sound_entries(std::uint64_t address, int level) const;
  bool sound_between(std::uint64_t address, int level) const;

  std::uint64_t at_, entry_;
  Place place_;
  const Read& more_;
  Owned& owned_;
};

}  // namespace tamis::hdf5
