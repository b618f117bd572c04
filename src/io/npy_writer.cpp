// .npy files, written as rows come: the header at the beginning is put right at the end.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "io/byte_file.hpp"
#include "io/convert.hpp"
#include "io/formats.hpp"
#include "io/npy_header.hpp"
#include "io/part_file.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// Columns begin…end of X as they are stored
template <class T>
std::span<const std::byte> stored_rows(ConstMatrixRef<T> X, Index begin, Index end,
                                       const SampleFormat& format, std::vector<std::byte>& bytes) {
  const Index row_bytes = X.rows() * size_of(format.type);
  bytes.resize(std::size_t((end - begin) * row_bytes));
  for (Index j = begin; j < end; ++j)
    to_stored(X.col(j).data(), X.rows(), format.type, format.unit,
              bytes.data() + (j - begin) * row_bytes);
  return bytes;
}

std::vector<Index> array_shape(Index rows, const SampleFormat& format) {
  std::vector<Index> shape{rows};
  shape.insert(shape.end(), format.shape.begin(), format.shape.end());
  return shape;
}

template <class T>
class NpyWriter final : public Writer<T> {
 public:
  NpyWriter(const std::string& path, const WriterOptions& options)
      : target_(path, options.force), format_(options.format) {
    const Index most = std::numeric_limits<Index>::max();
    data_ = Index(make_npy_header(format_.type, array_shape(most, format_)).size());
  }

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    open(ByteFile::Mode::create);
    Index end = 0;
    for (Index begin = 0; begin < X.cols(); begin = end) {
      for (end = begin + 1; end < X.cols() && rows[end] == rows[end - 1] + 1;) ++end;
      file_->write(stored_rows<T>(X, begin, end, format_, bytes_),
                   data_ + rows[begin] * X.rows() * size_of(format_.type));
      rows_ = std::max(rows_, rows[end - 1] + 1);
    }
  }

  std::string state() override {
    open(ByteFile::Mode::create);
    file_->sync();
    target_.keep();
    return std::to_string(rows_);
  }

  void resume(const std::string& state) override {
    target_.keep();
    const char* const end = state.data() + state.size();
    const auto [stop, problem] = std::from_chars(state.data(), end, rows_);
    if (problem != std::errc() || stop != end || rows_ < 0)
      throw FileError(target_.path() + ": the stopped run wrote another kind of file");
    open(ByteFile::Mode::change);
    const Index row_bytes = format_.features() * size_of(format_.type);
    if (rows_ > 0 && (file_->size() - data_) / row_bytes < rows_)
      throw FileError(target_.part() + ": lost what the stopped run had written");
  }

  void finish() override {
    open(ByteFile::Mode::create);
    const std::string header =
        make_npy_header(format_.type, array_shape(rows_, format_), std::size_t(data_));
    file_->write(std::as_bytes(std::span(header)), 0);
    file_.reset();
    target_.publish();
  }

 private:
  // Only now, so that a run that fails early leaves nothing.
  void open(ByteFile::Mode mode) {
    if (!file_) file_ = std::make_unique<ByteFile>(target_.part(), mode);
  }

  PartFile target_;
  SampleFormat format_;
  Index data_;
  Index rows_ = 0;
  std::unique_ptr<ByteFile> file_;
  std::vector<std::byte> bytes_;
};

// To a pipe: one array if the number of rows is known, otherwise one per block.
template <class T>
class NpyStreamWriter final : public Writer<T> {
 public:
  explicit NpyStreamWriter(WriterOptions options) : options_(std::move(options)) {}

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    for (Index j = 0; j < X.cols(); ++j)
      if (rows[j] != written_ + j)
        throw Error("rows cannot be written to a pipe in shuffled order: write to a .npy file");
    if (!options_.rows || written_ == 0) {
      const Index n = options_.rows.value_or(X.cols());
      const std::string header =
          make_npy_header(options_.format.type, array_shape(n, options_.format));
      put(std::as_bytes(std::span(header)));
    }
    put(stored_rows<T>(X, 0, X.cols(), options_.format, bytes_));
    written_ += X.cols();
  }

  std::string state() override { return std::to_string(written_); }
  void resume(const std::string&) override {
    throw SettingsError("what went into a pipe is gone: a stopped run can go on only with files");
  }
  void finish() override {}

 private:
  void put(std::span<const std::byte> bytes) const {
    // So much goes into a pipe that has room without waiting in a way that Ctrl-C does not end.
    constexpr std::size_t at_once = PIPE_BUF;
    while (!bytes.empty()) {
      wait_for_room();
      const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), std::min(bytes.size(), at_once));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0)
        throw FileError(
            fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
      bytes = bytes.subspan(std::size_t(n));
    }
  }

  void wait_for_room() const {
    constexpr int poll_milliseconds = 100;
    pollfd file{STDOUT_FILENO, POLLOUT, 0};
    while (true) {
      const int ready = ::poll(&file, 1, poll_milliseconds);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;  // writing will tell what is wrong
      if (options_.interrupted && options_.interrupted())
        throw Interrupted("stopped while nobody took what goes to standard output");
    }
  }

  WriterOptions options_;
  Index written_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace

template <class T>
std::unique_ptr<Writer<T>> create_npy(const std::string& path, const WriterOptions& options) {
  return std::make_unique<NpyWriter<T>>(path, options);
}
template <class T>
std::unique_ptr<Writer<T>> create_npy_stream(const std::string&, const WriterOptions& options) {
  return std::make_unique<NpyStreamWriter<T>>(options);
}

template std::unique_ptr<Writer<float>> create_npy(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> create_npy(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<float>> create_npy_stream(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> create_npy_stream(const std::string&,
                                                           const WriterOptions&);

}  // namespace tamis
