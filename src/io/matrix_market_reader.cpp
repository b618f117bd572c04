// Sparse (or dense) matrices in MatrixMarket text: rows are samples. A file sorted by row is read
// as it is; any other one is first brought into that order in a temporary file.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/formats.hpp"
#include "io/matrix_market.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

using Symmetry = MatrixMarketHeader::Symmetry;

// Reads all of it once: what is wrong with a file is found before anything is computed.
bool sorted_by_row(MatrixMarketText& text) {
  std::uint32_t last = 0;
  bool sorted = true;
  for (MatrixEntry entry; text.next(entry); last = entry.row) sorted = sorted && entry.row >= last;
  text.rewind();
  return sorted;
}

SortedEntries sort_by_row(MatrixMarketText& text, Index run) {
  EntrySorter sorter(run);
  const Symmetry symmetry = text.header().symmetry;
  for (MatrixEntry entry; text.next(entry);) {
    if (entry.value == 0) continue;
    sorter.add(entry);
    if (symmetry == Symmetry::general || entry.row == entry.column) continue;
    std::swap(entry.row, entry.column);
    if (symmetry == Symmetry::skew) entry.value = -entry.value;
    sorter.add(entry);
  }
  return sorter.finish();
}

template <class T>
class MatrixMarketReader final : public Reader<T> {
 public:
  MatrixMarketReader(const std::string& path, Index run) : text_(path) {
    const MatrixMarketHeader& header = text_.header();
    format_ = {.shape = {header.columns}, .type = ElementType::f64};
    const bool as_it_is = header.coordinate && header.symmetry == Symmetry::general;
    if (!as_it_is || !sorted_by_row(text_)) sorted_ = sort_by_row(text_, run);
    seek(0);
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return text_.header().rows; }
  Access access() const override { return sorted_ ? Access::random : Access::restart; }

  void seek(Index sample) override {
    next_ = sample;
    if (sorted_)
      sorted_->seek(sample);
    else
      text_.rewind();
    advance();
  }

  Index read(MatrixRef<T> V) override {
    const Index n = std::min(V.cols(), text_.header().rows - next_);
    for (Index j = 0; j < n; ++j, ++next_) {
      V.col(j).setZero();
      // Entries for the same place add up, as everywhere.
      for (; more_ && Index(entry_.row) == next_; advance()) V(entry_.column, j) += T(entry_.value);
      if (more_ && Index(entry_.row) < next_)
        throw FileError(text_.path() + ": changed while it was read");
    }
    return std::max<Index>(n, 0);
  }

 private:
  void advance() { more_ = sorted_ ? sorted_->next(entry_) : text_.next(entry_); }

  MatrixMarketText text_;
  std::optional<SortedEntries> sorted_;
  SampleFormat format_;
  Index next_ = 0;
  MatrixEntry entry_;  // the first that was not used yet
  bool more_ = false;
};

}  // namespace

template <class T>
std::unique_ptr<Reader<T>> open_matrix_market(const std::string& path, Index run) {
  return std::make_unique<MatrixMarketReader<T>>(path, run);
}
template <class T>
std::unique_ptr<Reader<T>> open_matrix_market(const std::string& path, const OpenOptions&) {
  return open_matrix_market<T>(path, EntrySorter::usual_run);
}

template std::unique_ptr<Reader<float>> open_matrix_market(const std::string&, Index);
template std::unique_ptr<Reader<double>> open_matrix_market(const std::string&, Index);
template std::unique_ptr<Reader<float>> open_matrix_market(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_matrix_market(const std::string&, const OpenOptions&);

}  // namespace tamis
