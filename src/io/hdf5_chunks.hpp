// Chunks of an array. Version 1.10 of the library does not look how many bytes one has in the file,
// or how many come out when it is unpacked: where they are too few it reads what lies behind them
// in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5.hpp"
#include "tamis/types.hpp"

namespace tamis {

class ChunkCheck {
 public:
  // Throws FileError if nobody could tell what comes out, or if a sample has too many.
  ChunkCheck(const H5::DataSet& dataset, const std::string& name);

  // Throws FileError if a chunk with one of these n samples does not have the bytes of its entries.
  // Every chunk is unpacked for this once, if samples are read one after the other.
  void check(const H5::DataSet& dataset, Index first, Index n);
  void check_all(const H5::DataSet& dataset);  // which is not empty

  // To be read together: the library takes several kilobytes for every chunk that it touches.
  Index samples_at_once() const;

 private:
  void set_chunks_per_row();
  void check_row(const H5::DataSet& dataset, hsize_t row);
  bool right_size(const H5::DataSet& dataset, const std::vector<hsize_t>& offset);
  void undo_filters_after(std::size_t filter, std::uint32_t skipped);
  bool sticks_out(const std::vector<hsize_t>& offset) const;

  std::string name_;
  std::vector<hsize_t> sizes_, chunk_;
  bool chunked_ = false;
  std::optional<unsigned> deflate_;  // its place among the filters
  std::uint32_t checksums_ = 0;      // a bit for the place of each
  std::uint32_t others_ = 0;         // of which only the library knows what comes out
  std::vector<std::size_t> widths_;  // of entries that a filter shuffles, 1: it does not
  hsize_t bytes_ = 0;                // of the entries of a chunk
  hsize_t file_bytes_ = 0;
  hsize_t begin_ = 0, end_ = 0;  // rows of chunks that were looked at
  unsigned options_ = 0;         // of chunks
  hsize_t chunks_per_row_ = 1;
  std::vector<unsigned char> packed_, shuffled_;
};

}  // namespace tamis
