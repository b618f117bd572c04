// Heaps of newer HDF5 files ("fractal heaps"), in which large groups keep their links: blocks that
// become larger from row to row of a table. What is too long for them lies elsewhere, in a tree.
#pragma once

#include <map>
#include <vector>

#include "io/hdf5/cursor.hpp"
#include "io/hdf5/owned.hpp"

namespace tamis::hdf5 {

class Heap {
 public:
  explicit Heap(Bytes header, std::uint64_t at, Place place);
  static std::size_t header_bytes(NumberSizes sizes);
  static constexpr std::size_t bytes_of_id = 7;

  // Whether it has the form that the library gives to all that are for links.
  bool sound() const { return sound_; }

  // Where its long objects are found, if it has any
  bool has_long_ones() const;
  std::uint64_t tree_of_long_ones() const { return place_.base + tree_; }
  // To be called before they are asked for. Whether they all are there, each with its own name.
  bool find_long_ones(const Read& more, Owned& owned);
  static bool is_long(Bytes id);

  // What it holds under this name; nothing if that is not there.
  std::vector<std::byte> object(Bytes id, const Read& more) const;

 private:
  // A block in which others are found
  struct Table {
    std::uint64_t at = 0;
    std::uint64_t rows = 0;
    std::uint64_t first = 0;  // of the heap's bytes, is in it
  };

  struct Long {
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
  };

  std::vector<std::byte> long_one(Bytes id, const Read& more) const;
  std::vector<std::byte> inside(std::uint64_t block, std::uint64_t first, int size,
                                std::uint64_t offset, std::uint64_t length, const Read& more) const;
  std::vector<std::byte> below(Table table, std::uint64_t offset, std::uint64_t length,
                               const Read& more) const;
  bool begins(Bytes block, std::string_view signature_of_kind, std::uint64_t first) const;

  Place place_;
  std::uint64_t at_ = 0;
  bool sound_ = false;
  Table root_;
  std::uint64_t tree_ = 0;
  std::map<std::uint64_t, Long> long_ones_;
};

}  // namespace tamis::hdf5
