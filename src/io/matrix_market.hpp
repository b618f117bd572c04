// MatrixMarket text: a header, then entries of a matrix with their places (coordinate) or all of
// them column by column (array).
#pragma once

#include <memory>
#include <string>

#include "io/entry_sorter.hpp"
#include "io/line_reader.hpp"
#include "tamis/io/reader.hpp"

namespace tamis {

struct MatrixMarketHeader {
  enum class Symmetry { general, symmetric, skew };

  bool coordinate = true;
  bool pattern = false;  // places without values: 1
  Symmetry symmetry = Symmetry::general;
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;  // that the file lists
};

// The entries that a file lists, in its order. All throw FileError.
class MatrixMarketText {
 public:
  explicit MatrixMarketText(const std::string& path);

  const MatrixMarketHeader& header() const { return header_; }
  const std::string& path() const { return lines_.path(); }
  void rewind();
  // False at the end, after making sure that there were as many as announced.
  bool next(MatrixEntry& entry);

 private:
  std::string_view next_line();
  void parse_banner();
  void parse_sizes();
  void check_sizes();
  void parse_coordinate(std::string_view line, MatrixEntry& entry) const;
  void check_place(Index row, Index column) const;
  void parse_array(std::string_view line, MatrixEntry& entry);

  LineReader lines_;
  MatrixMarketHeader header_;
  LineReader::Place data_;
  Index seen_ = 0;              // entries so far
  Index row_ = 0, column_ = 0;  // of the next one of an array
};

// run: entries to hold in memory while sorting
template <class T>
std::unique_ptr<Reader<T>> open_matrix_market(const std::string& path, Index run);

}  // namespace tamis
