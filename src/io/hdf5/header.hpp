// The headers of the objects of an HDF5 file, and the heaps with the names of their links: looked
// through as they come from the disk, before the library believes them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "io/hdf5/entries.hpp"
#include "io/hdf5/index.hpp"
#include "io/hdf5/owned.hpp"

namespace tamis::hdf5 {

// What the library left of its memory in a file, with headers in it at which nobody could look
bool is_cache_image(Bytes bytes);

class Headers {
 public:
  // What was read as the file's first block tells how to read all others: once, since its end is
  // read like another and may begin like it.
  void learn_sizes(Bytes superblock, std::uint64_t at);

  // What was read as a header, or as a further part of one that was read before: whether every
  // message holds what it says. What can be understood in two ways must be right in both.
  bool sound(Bytes bytes, std::uint64_t at, const Read& more);

  // What comes next if it is the rest of a long header, of which the first part was sound: looked
  // through already, and nothing else, however it begins
  bool is_rest(Bytes bytes, std::uint64_t at) const {
    return rest_.at == at && rest_.bytes == bytes.size();
  }

  // What was read as a heap of names, or as its data: whether the list of what is free in it ends,
  // and the data is not that of another heap.
  bool sound_heap(Bytes bytes, std::uint64_t at, const Read& more);

  // The last byte of a heap of names becomes zero. It is one, or nobody's; but the library follows
  // a name for as long as there is none, wherever a file says that the name begins.
  void end_names(std::span<std::byte> bytes, std::uint64_t at) const;

  // What was read as anything but entries of arrays, if it tells where links or chunks are
  bool sound_index(Bytes bytes, std::uint64_t at, const Read& more) {
    return indexes_.sound(bytes, at, place_, more);
  }

 private:
  // How the messages of a header are written
  struct Form {
    int version = 1;
    bool ordered = false;  // each with its number
    std::size_t head() const { return version == 1 ? 8 : ordered ? 6 : 4; }
    bool operator==(const Form&) const = default;
  };
  struct Part {
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
    Form form;
    std::uint64_t object = 0;  // where its header begins
    bool operator==(const Part&) const = default;
  };

  // A header's messages begin after this, and how long they are. If the library does not go on
  // with it, what comes next is not its rest.
  struct Beginning {
    bool ok = false;
    std::size_t bytes = 0;
    std::uint64_t messages = 0;
    Form form;
  };

  static Beginning beginning_of(Bytes bytes);
  static bool may_be_header(Bytes bytes, std::uint64_t at, const Read& more);
  bool sound_header(Bytes bytes, std::uint64_t at, const Read& more);
  bool sound_part(Bytes bytes, const Part& part, const Read& more);
  bool sound_messages(Bytes bytes, Form form, std::uint64_t object, const Read& more);
  bool learn_part(Bytes continuation, Form form, std::uint64_t object, const Read& more);
  bool sound_message(std::uint64_t type, std::uint64_t flags, Bytes body, std::uint64_t object,
                     const Read& more);

  Place place_;
  Indexes indexes_;
  Entries entries_;
  std::map<std::uint64_t, std::vector<Part>> parts_;  // that headers go on in, by their addresses
  std::uint64_t bytes_of_parts_ = 0;
  std::set<std::uint64_t> ends_of_names_;  // the last byte of each heap
  Owned names_;                            // of heaps
  Part rest_;                              // of a long header, that comes next
};

}  // namespace tamis::hdf5
