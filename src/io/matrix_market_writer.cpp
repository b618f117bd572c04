// MatrixMarket text, coordinate layout: only what is not zero is written, as rows come. The sizes
// at the beginning are put right at the end.
#include <fmt/format.h>

#include <algorithm>

#include "io/formats.hpp"
#include "io/text_output.hpp"

namespace tamis {
namespace {

// Always of the same length, so that it can be written again; blanks only between the numbers.
std::string header(Index rows, Index columns, Index entries) {
  return fmt::format("%%MatrixMarket matrix coordinate real general\n{:<20} {:>20} {:>20}\n", rows,
                     columns, entries);
}

template <class T>
class MatrixMarketWriter final : public Writer<T> {
 public:
  MatrixMarketWriter(const std::string& path, const WriterOptions& options)
      : output_(path, options.force), format_(options.format) {}

  // Each row once: what was written of it before would stay.
  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    begin();
    for (Index j = 0; j < X.cols(); ++j) {
      rows_ = std::max(rows_, rows[j] + 1);
      for (Index i = 0; i < X.rows(); ++i) append(rows[j], i, X(i, j));
      if (text_.size() >= enough_bytes) flush();
    }
    flush();
  }

  std::string state() override {
    begin();
    return output_.state({entries_, rows_});
  }
  void resume(const std::string& state) override {
    const std::vector<Index> counts = output_.resume(state, 2);
    entries_ = counts[0];
    rows_ = counts[1];
    begun_ = true;
  }
  void finish() override {
    output_.replace_beginning(header(rows_, format_.features(), entries_));
    output_.finish();
  }

 private:
  static constexpr std::size_t enough_bytes = std::size_t(1) << 20;

  void begin() {
    if (!begun_) output_.append(header(0, 0, 0));
    begun_ = true;
  }

  void append(Index row, Index column, T x) {
    if (x == T(0)) return;
    const std::size_t before = text_.size();
    fmt::format_to(std::back_inserter(text_), "{} {} ", row + 1, column + 1);
    const std::size_t number = text_.size();
    append_number(text_, x, format_);
    // Rounded to nothing
    if (std::string_view(text_).substr(number) == "0") return text_.resize(before);
    text_ += '\n';
    ++entries_;
  }

  void flush() {
    output_.append(text_);
    text_.clear();
  }

  TextOutput output_;
  SampleFormat format_;
  bool begun_ = false;
  Index rows_ = 0;
  Index entries_ = 0;
  std::string text_;
};

}  // namespace

template <class T>
std::unique_ptr<Writer<T>> create_matrix_market(const std::string& path,
                                                const WriterOptions& options) {
  return std::make_unique<MatrixMarketWriter<T>>(path, options);
}

template std::unique_ptr<Writer<float>> create_matrix_market(const std::string&,
                                                             const WriterOptions&);
template std::unique_ptr<Writer<double>> create_matrix_market(const std::string&,
                                                              const WriterOptions&);

}  // namespace tamis
