// The entries of arrays in an HDF5 file: how long one is, by its type and by the value that stands
// for those never written. The library copies as many bytes of the one as the other has.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

class Entries {
 public:
  // What a message in the header of an object says of them: whether all that is known by then
  // agrees.
  bool learn(std::uint64_t object, std::uint64_t type, std::uint64_t flags, Bytes body,
             Place place);

 private:
  struct Entry {
    std::optional<std::uint64_t> bytes;    // as its type says
    std::optional<std::uint64_t> type_at;  // the object that has the type, if not this
    // Of two kinds of messages with a value, and of chunks; 0: has none
    std::array<std::optional<std::uint64_t>, 3> others;
  };

  bool learn_type(std::uint64_t object, std::uint64_t bytes);
  bool learn_shared(std::uint64_t object, std::uint64_t type_at);
  bool agrees(const Entry& entry) const;

  std::map<std::uint64_t, Entry> entries_;                  // of each object
  std::map<std::uint64_t, std::set<std::uint64_t>> users_;  // of the type that an object has
};

}  // namespace tamis::hdf5
