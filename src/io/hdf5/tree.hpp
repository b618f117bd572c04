// Trees of records in newer HDF5 files ("version 2 B-trees"). Version 1.10 of the library believes
// how deep they go and how many records are in each node.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "io/hdf5/cursor.hpp"
#include "io/hdf5/owned.hpp"

namespace tamis::hdf5 {

class Tree {
 public:
  explicit Tree(Bytes header, Place place);
  static std::size_t header_bytes(NumberSizes sizes) { return 22 + sizes.address + sizes.length; }

  std::uint64_t kind() const { return kind_; }
  std::uint64_t record_bytes() const { return record_; }

  // Whether every node is there, once, with as many records as are said to be in it, and every
  // record is right.
  using Right = std::function<bool(Bytes record)>;
  bool sound(const Read& more, const Right& right) const;
  // The same, and no node is that of another tree. Its header is there.
  bool sound(const Read& more, const Right& right, Owned& owned, std::uint64_t at) const;

 private:
  struct Node {
    std::uint64_t at = 0;
    std::uint64_t records = 0;
    std::size_t depth = 0;
  };
  struct Walk {
    const Read& more;
    const Right& right;
    std::set<std::uint64_t> seen;
    std::uint64_t records = 0;
  };

  void measure_levels(std::size_t depth);
  bool walk_through(Walk& walk) const;
  bool sound_node(Node node, Walk& walk) const;
  bool sound_children(Cursor& in, Node node, Walk& walk) const;

  // What a node so far from the leaves can hold, and the bytes of the number of all records below
  // it
  struct Level {
    std::uint64_t most = 0;
    std::size_t bytes_of_total = 0;
  };

  Place place_;
  bool readable_ = false;
  std::uint64_t kind_ = 0, node_bytes_ = 0, record_ = 0, records_ = 0;
  Node root_;
  std::vector<Level> levels_;
};

}  // namespace tamis::hdf5
