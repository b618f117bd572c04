// Where the links of a large group and the chunks of an array are: trees, heaps and lists, looked
// through as they come from the disk, before the library believes them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "io/hdf5/cursor.hpp"
#include "io/hdf5/old_tree.hpp"
#include "io/hdf5/tree.hpp"

namespace tamis::hdf5 {

class Indexes {
 public:
  // What a message in the header of an object says of them. Whether no other object says it: what
  // is right for one need not be for another.
  bool learn(std::uint64_t object, std::uint64_t type, Bytes body, Place place);

  // What was read, if it is the beginning of such an index
  bool sound(Bytes bytes, std::uint64_t at, Place place, const Read& more);

 private:
  // How the list of an array's chunks is written. The library takes the first message of a kind.
  struct Chunks {
    std::optional<std::vector<std::uint64_t>> most;  // entries in each dimension, when it has grown
    std::vector<std::uint64_t> chunk;  // and of a chunk, with the bytes of an entry behind them
    bool has_layout = false;           // which need not be in chunks
    std::uint64_t bytes = 0;           // of a chunk
    std::optional<bool> filtered;

    bool packed() const { return filtered.value_or(false); }
    std::uint64_t entry_bytes(NumberSizes sizes) const;
    bool fits(std::uint64_t list_packed, std::uint64_t entry, NumberSizes sizes) const {
      return list_packed == (packed() ? 1 : 0) && entry == entry_bytes(sizes);
    }
    bool agree() const;                         // in the number of dimensions, as far as known
    bool has_all(std::uint64_t entries) const;  // as a list with so many
  };

  // What is at a place, and of whom: the library keeps what it once read, and would take it for
  // something else that is said to be there.
  struct Purpose {
    enum Kind { links_by_name, links_by_number, long_links, chunks };
    Kind kind = chunks;
    std::uint64_t owner = 0;  // the heap in which the links are, or the array
    bool operator==(const Purpose&) const = default;
  };
  bool learn_purpose(std::uint64_t at, Purpose purpose) {
    return purposes_.emplace(at, purpose).first->second == purpose;
  }

  bool learn_sizes(std::uint64_t object, Bytes body, Place place);
  bool learn_layout(std::uint64_t object, Bytes body, Place place);
  bool learn_filters(std::uint64_t object, Bytes body);
  bool learn_links(Bytes body, Place place);

  const Chunks* chunks_at(std::uint64_t at) const;
  bool sound_heap(Bytes bytes, std::uint64_t at, Place place, const Read& more);
  bool sound_tree(Bytes bytes, std::uint64_t at, Place place, const Read& more);
  bool sound_chunk_tree(const Tree& tree, std::uint64_t at, Place place, const Read& more);
  bool sound_fixed_list(Bytes bytes, std::uint64_t at, Place place, const Read& more);
  bool sound_growing_list(Bytes bytes, std::uint64_t at, Place place, const Read& more);

  std::map<std::uint64_t, Chunks> chunks_;     // of each object
  std::map<std::uint64_t, Purpose> purposes_;  // of each tree and each list
  Owned owned_;                                // nodes of trees, entries of lists
  OldTrees old_trees_;
};

}  // namespace tamis::hdf5
