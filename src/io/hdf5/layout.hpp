// Where the entries of an array in an HDF5 file are, as a message in its header says: in chunks, or
// otherwise.
#pragma once

#include <optional>
#include <vector>

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

// Fails where it says more than it holds, or of chunks that nobody can have.
void skip_layout(Cursor& in, NumberSizes sizes);

struct ChunkLayout {
  enum Index : std::uint64_t { old_tree, one_chunk, implicit, fixed, growing, tree };

  std::vector<std::uint64_t> sizes;  // of a chunk, with the bytes of an entry behind them
  std::uint64_t index = old_tree;
  std::uint64_t at = 0;  // where the index is
  bool ok = true;        // it holds what it says
};
// None if the entries are not in chunks
std::optional<ChunkLayout> chunk_layout(Bytes message, NumberSizes sizes);

}  // namespace tamis::hdf5
