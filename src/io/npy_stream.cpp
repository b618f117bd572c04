// .npy on a pipe. The number of samples in the header may be −1 or 0 (with data following): until
// the input ends. Or many arrays follow each other, as numpy.save writes them to one pipe.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <vector>

#include "io/convert.hpp"
#include "io/formats.hpp"
#include "io/npy_header.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr int poll_milliseconds = 100;
constexpr Index entries_at_once = Index(1) << 18;
const std::string name = "standard input";

// Waits for bytes; throws Interrupted when the user does not want to wait any longer.
class Pipe {
 public:
  explicit Pipe(std::function<bool()> interrupted) : interrupted_(std::move(interrupted)) {}

  // Fewer than wanted only at the end.
  std::size_t read(std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      wait();
      const ssize_t n = ::read(STDIN_FILENO, bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw FileError(fmt::format("{}: {}", name, std::strerror(errno)));
      if (n == 0) break;
      done += std::size_t(n);
    }
    return done;
  }

  void cancel() { cancelled_ = true; }

 private:
  void wait() const {
    pollfd file{STDIN_FILENO, POLLIN, 0};
    while (true) {
      const int ready = ::poll(&file, 1, poll_milliseconds);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;  // reading will tell what is wrong
      if (cancelled_ || (interrupted_ && interrupted_()))
        throw Interrupted("stopped while waiting for standard input");
    }
  }

  std::function<bool()> interrupted_;
  std::atomic<bool> cancelled_ = false;
};

template <class T>
class NpyStreamReader final : public Reader<T> {
 public:
  explicit NpyStreamReader(const OpenOptions& options) : pipe_(options.interrupted) {
    if (!next_array()) throw FileError(name + ": empty, a .npy array was expected");
    format_ = header_.format();
  }

  const SampleFormat& format() const override { return format_; }
  // More arrays may follow, so nobody knows.
  std::optional<Index> samples() const override { return std::nullopt; }
  Access access() const override { return Access::once; }
  void seek(Index) override {}
  void cancel() override { pipe_.cancel(); }

  Index read(MatrixRef<T> V) override {
    return read_arrays(V.cols(), [&](Index first, Index wanted) {
      return whole_samples(read_entries(V.middleCols(first, wanted)), wanted);
    });
  }

  bool stores_bytes() const override { return format_.type == ElementType::u8; }
  Index read_bytes(MatrixRef<std::uint8_t> V) override {
    return read_arrays(V.cols(), [&](Index first, Index wanted) {
      const std::span bytes(V.col(first).data(), std::size_t(wanted * format_.features()));
      return whole_samples(Index(pipe_.read(std::as_writable_bytes(bytes))), wanted);
    });
  }

 private:
  // read(first, wanted) for the samples of one array after another
  template <class Read>
  Index read_arrays(Index wanted, const Read& read) {
    Index n = 0;
    while (n < wanted && (left_ > 0 || another_array())) {
      const Index got = read(n, std::min(wanted - n, left_));
      n += got;
      if (got == 0) break;
    }
    return n;
  }

  // All of V, unless the input ends before; how many bytes that were. A header may announce samples
  // of any size: memory is touched only where something came.
  Index read_entries(MatrixRef<T> V) {
    const Index F = V.rows(), size = size_of(format_.type);
    Index at = 0, received = 0;
    while (at < V.size()) {
      const Index end = std::min(V.size(), at + entries_at_once);
      bytes_.resize(std::size_t((end - at) * size));
      const auto got = Index(pipe_.read(bytes_));
      received += got;
      const std::byte* from = bytes_.data();
      for (const Index stop = at + got / size; at < stop;) {
        const Index run = std::min(F - at % F, stop - at);
        from_stored(from, format_.type, format_.unit, run, &V(at % F, at / F));
        from += run * size;
        at += run;
      }
      if (at < end) break;
    }
    return received;
  }

  // How many of the wanted samples these bytes are; notes that the input ended.
  Index whole_samples(Index got, Index wanted) {
    const Index sample_bytes = format_.features() * size_of(format_.type);
    const Index n = got / sample_bytes;
    if (n < wanted) {
      left_ = 0;
      ended_ = true;
      if (got % sample_bytes != 0 || !endless_)
        throw FileError(name + ": ends too early, in the middle of the array");
    } else if (!endless_) {
      left_ -= n;
    }
    return n;
  }

  bool another_array() {
    if (ended_ || !next_array()) return false;
    if (header_.format().shape != format_.shape || header_.type != format_.type)
      throw DataError(name + ": the arrays that follow each other differ in shape or type");
    return true;
  }

  bool next_array() {
    std::string bytes(std::size_t(npy_preamble), '\0');
    const std::size_t got = pipe_.read(std::as_writable_bytes(std::span(bytes)));
    if (got == 0) return false;
    bytes.resize(got);
    const Index data = npy_data_offset(bytes, name);
    const std::size_t known = bytes.size();
    if (data < Index(known)) throw FileError(name + ": not a valid .npy header");
    bytes.resize(std::size_t(data));
    const auto rest = std::span(bytes).subspan(known);
    if (pipe_.read(std::as_writable_bytes(rest)) < rest.size())
      throw FileError(name + ": ends in the middle of the header");
    header_ = parse_npy_header(bytes, name);
    if (header_.fortran_order)
      throw DataError(name +
                      ": an array in Fortran order has no samples in a row to stream; save "
                      "it in C order (numpy.ascontiguousarray)");
    endless_ = header_.samples() <= 0;
    left_ = endless_ ? std::numeric_limits<Index>::max() : header_.samples();
    return true;
  }

  Pipe pipe_;
  NpyHeader header_;
  SampleFormat format_;
  Index left_ = 0;  // samples of the current array
  bool endless_ = false;
  bool ended_ = false;
  std::vector<std::byte> bytes_;
};

}  // namespace

template <class T>
std::unique_ptr<Reader<T>> open_npy_stream(const std::string&, const OpenOptions& options) {
  return std::make_unique<NpyStreamReader<T>>(options);
}

template std::unique_ptr<Reader<float>> open_npy_stream(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_npy_stream(const std::string&, const OpenOptions&);

}  // namespace tamis
