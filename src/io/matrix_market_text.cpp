#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "io/formats.hpp"
#include "io/matrix_market.hpp"
#include "io/text_number.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr Index longest_entry_line = 1 << 16;
constexpr Index most_places = std::numeric_limits<std::uint32_t>::max();

// The next word of a line, or nothing.
std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

// Of a symmetric array only the part below the diagonal is there.
Index array_entries(const MatrixMarketHeader& header) {
  const Index n = header.rows;
  switch (header.symmetry) {
    case MatrixMarketHeader::Symmetry::general:
      return n * header.columns;
    case MatrixMarketHeader::Symmetry::symmetric:
      return n * (n + 1) / 2;
    case MatrixMarketHeader::Symmetry::skew:
      break;
  }
  return n * (n - 1) / 2;
}

std::string small(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  return result;
}

}  // namespace

MatrixMarketText::MatrixMarketText(const std::string& path) : lines_(path, longest_entry_line) {
  parse_banner();
  parse_sizes();
  check_sizes();
  data_ = lines_.place();
  rewind();
}

void MatrixMarketText::rewind() {
  lines_.go_to(data_);
  seen_ = 0;
  column_ = 0;
  row_ = header_.symmetry == MatrixMarketHeader::Symmetry::skew ? 1 : 0;
}

// Without comments and empty lines; empty at the end of the file.
std::string_view MatrixMarketText::next_line() {
  while (const auto line = lines_.next()) {
    const std::string_view text = trimmed(*line);
    if (!text.empty() && !text.starts_with('%')) return text;
  }
  return {};
}

void MatrixMarketText::parse_banner() {
  const auto line = lines_.next();
  std::string_view rest = line ? trimmed(*line) : std::string_view();
  if (small(next_word(rest)) != "%%matrixmarket")
    throw FileError(path() + ": not a MatrixMarket file: it does not begin with %%MatrixMarket");
  std::array<std::string, 4> words;
  for (std::string& word : words) word = small(next_word(rest));
  const auto refuse = [&](std::string_view what, const std::string& word) {
    lines_.fail(fmt::format("has the {} \"{}\", which cannot be read", what, shown(word)));
  };
  const auto& [object, layout, field, symmetry] = words;
  if (object != "matrix") refuse("object", object);
  if (layout != "coordinate" && layout != "array") refuse("layout", layout);
  header_.coordinate = layout == "coordinate";
  header_.pattern = field == "pattern";
  const bool number = field == "real" || field == "double" || field == "integer" ||
                      field == "unsigned-integer" || (header_.pattern && header_.coordinate);
  if (!number) refuse("type of entries", field);
  using enum MatrixMarketHeader::Symmetry;
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
    refuse("symmetry", symmetry);
  header_.symmetry = symmetry == "general" ? general : symmetry == "symmetric" ? symmetric : skew;
}

void MatrixMarketText::parse_sizes() {
  std::string_view rest = next_line();
  if (rest.empty()) throw FileError(path() + ": ends before the line with its sizes");
  const auto size = [&](Index& value) {
    return parse_number(next_word(rest), value) && value >= 0;
  };
  const bool valid = size(header_.rows) && size(header_.columns) &&
                     (!header_.coordinate || size(header_.entries)) && trimmed(rest).empty();
  if (!valid)
    lines_.fail(header_.coordinate ? "should have three sizes: rows, columns, entries"
                                   : "should have two sizes: rows, columns");
}

void MatrixMarketText::check_sizes() {
  const Index rows = header_.rows, columns = header_.columns;
  if (columns < 1 || columns > most_features || rows > most_places)
    lines_.fail(fmt::format("has a size of {}×{}, which is not possible", rows, columns));
  if (header_.symmetry != MatrixMarketHeader::Symmetry::general && rows != columns)
    lines_.fail(
        fmt::format("has a size of {}×{}, but symmetric matrices are square", rows, columns));
  // The shortest entries are "1 1" and "0", each with a line end.
  const Index most = (lines_.bytes() - lines_.place().offset + 1) / (header_.coordinate ? 4 : 2);
  if (!header_.coordinate) header_.entries = array_entries(header_);
  if (header_.entries > most)
    lines_.fail(
        fmt::format("announces {} entries, more than the file has; it may have been cut short",
                    header_.entries));
}

bool MatrixMarketText::next(MatrixEntry& entry) {
  const std::string_view line = next_line();
  if (line.empty()) {
    if (seen_ == header_.entries) return false;
    throw FileError(fmt::format("{}: ends after {} of {} entries; it may have been cut short",
                                path(), seen_, header_.entries));
  }
  if (seen_ == header_.entries)
    lines_.fail(fmt::format("is one too many: the header announces {} entries", seen_));
  if (header_.coordinate)
    parse_coordinate(line, entry);
  else
    parse_array(line, entry);
  ++seen_;
  return true;
}

void MatrixMarketText::parse_coordinate(std::string_view line, MatrixEntry& entry) const {
  std::string_view rest = line;
  Index row = 0, column = 0;
  entry.value = 1;
  const bool valid = parse_number(next_word(rest), row) && parse_number(next_word(rest), column) &&
                     (header_.pattern || parse_number(next_word(rest), entry.value)) &&
                     rest.empty();
  if (!valid)
    lines_.fail(fmt::format(R"(should be "row column{}", not "{}")",
                            header_.pattern ? "" : " value", shown(line)));
  check_place(row, column);
  entry.row = std::uint32_t(row - 1);
  entry.column = std::uint32_t(column - 1);
}

void MatrixMarketText::check_place(Index row, Index column) const {
  if (row < 1 || row > header_.rows || column < 1 || column > header_.columns)
    lines_.fail(fmt::format("has an entry at ({}, {}), outside the {}×{} matrix", row, column,
                            header_.rows, header_.columns));
  using enum MatrixMarketHeader::Symmetry;
  if (header_.symmetry == symmetric && column > row)
    lines_.fail("has an entry above the diagonal; a symmetric matrix lists those below");
  if (header_.symmetry == skew && column >= row)
    lines_.fail("has an entry not below the diagonal; a skew-symmetric matrix lists only those");
}

void MatrixMarketText::parse_array(std::string_view line, MatrixEntry& entry) {
  if (!parse_number(line, entry.value))
    lines_.fail(fmt::format("should be a number, not \"{}\"", shown(line)));
  entry.row = std::uint32_t(row_);
  entry.column = std::uint32_t(column_);
  if (++row_ < header_.rows) return;
  ++column_;
  using enum MatrixMarketHeader::Symmetry;
  row_ = header_.symmetry == general ? 0 : column_ + (header_.symmetry == skew ? 1 : 0);
}

}  // namespace tamis
