// Entries of a sparse matrix sorted by row, however many there are: runs that fit in memory are
// sorted and written to a temporary file, then merged into another.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/byte_file.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct MatrixEntry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  double value = 0;
};

// A file that has no name: nobody else sees it, and it is gone with this process, however that
// ends.
std::unique_ptr<ByteFile> make_nameless_file();

// Some entries of a file of entries, read in order.
class EntryRange {
 public:
  EntryRange(const ByteFile& file, Index begin, Index end, Index buffer);

  bool next(MatrixEntry& entry) {
    if (at_ == entries_.size() && !fill()) return false;
    entry = entries_[at_++];
    return true;
  }

 private:
  bool fill();

  const ByteFile* file_;
  Index begin_, end_;
  Index buffer_;
  std::vector<MatrixEntry> entries_;
  std::size_t at_ = 0;
};

// Entries by row, those of a row by column.
class SortedEntries {
 public:
  SortedEntries(std::unique_ptr<ByteFile> file, Index entries);

  // The next to come is the first entry of this row or a later one.
  void seek(Index row);
  bool next(MatrixEntry& entry) { return range_.next(entry); }

 private:
  std::unique_ptr<ByteFile> file_;
  Index entries_;
  EntryRange range_;
};

class EntrySorter {
 public:
  static constexpr Index usual_run = Index(4) << 20;

  // run: how many entries are held in memory
  explicit EntrySorter(Index run = usual_run);

  void add(const MatrixEntry& entry);
  SortedEntries finish();

 private:
  void write_run();

  Index run_;
  std::vector<MatrixEntry> entries_;
  std::unique_ptr<ByteFile> runs_;
  std::vector<Index> ends_;  // of the runs in their file
};

}  // namespace tamis
