// Trees in older HDF5 files ("version 1 B-trees"), of the links of a group or of the chunks of an
// array. The library goes down wherever they lead: round in a circle, or by many ways to the same
// node.
#pragma once

#include <map>
#include <optional>

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

class OldTrees {
 public:
  // What an array says of its chunks. Whether nothing else has this root.
  bool learn_chunks(std::uint64_t object, std::uint64_t root, std::uint64_t dimensions);

  // What was read as a node: whether it has the level and the kind that the node above it says, and
  // nothing else leads to what is below it, be it a node or a table of links. The library may read
  // it again.
  bool sound(Bytes bytes, std::uint64_t at, Place place);

 private:
  enum Kind : std::uint64_t { links, chunks, tables };  // the last are no nodes, but below leaves
  struct Node {
    std::uint64_t kind = links;
    std::uint64_t key = 0;               // bytes of each
    std::optional<std::uint64_t> level;  // from the leaves
    std::optional<std::uint64_t> above;  // where a node leads to it, or the array; of a group: none
  };
  bool fits(std::uint64_t at, const Node& node);

  std::map<std::uint64_t, Node> nodes_;  // that were read, or that something leads to
};

// What was read as a table of the links of a group: whether it has as many as it says
bool sound_table(Bytes bytes, NumberSizes sizes);

}  // namespace tamis::hdf5
