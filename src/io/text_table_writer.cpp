// Text tables, written line by line.
#include "io/formats.hpp"
#include "io/text_output.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

template <class T>
class TextTableWriter final : public Writer<T> {
 public:
  TextTableWriter(const std::string& path, const WriterOptions& options)
      : path_(path),
        output_(path, options.force),
        format_(options.format),
        separator_(has_ending(path, {".tsv"}) ? '\t' : ',') {}

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    for (Index j = 0; j < X.cols(); ++j)
      if (rows[j] != rows_ + j)
        throw Error(path_ +
                    ": lines can only be written one after the other, and samples come in another "
                    "order; write to a .npy file");
    for (Index j = 0; j < X.cols(); ++j) {
      for (Index i = 0; i < X.rows(); ++i) {
        if (i > 0) block_ += separator_;
        append_number(block_, X(i, j), format_);
      }
      block_ += '\n';
      if (block_.size() >= enough_bytes) flush();
    }
    flush();
    rows_ += X.cols();
  }

  std::string state() override { return output_.state({rows_}); }
  void resume(const std::string& state) override { rows_ = output_.resume(state, 1)[0]; }
  void finish() override { output_.finish(); }

 private:
  static constexpr std::size_t enough_bytes = std::size_t(1) << 20;

  void flush() {
    output_.append(block_);
    block_.clear();
  }

  std::string path_;
  TextOutput output_;
  SampleFormat format_;
  char separator_;
  Index rows_ = 0;
  std::string block_;
};

}  // namespace

template <class T>
std::unique_ptr<Writer<T>> create_text_table(const std::string& path,
                                             const WriterOptions& options) {
  return std::make_unique<TextTableWriter<T>>(path, options);
}

template std::unique_ptr<Writer<float>> create_text_table(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> create_text_table(const std::string&,
                                                           const WriterOptions&);

}  // namespace tamis
