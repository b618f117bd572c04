// .npy arrays on standard input, one or several.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/samples.hpp"

namespace {

// What is read from standard input from now on
void set_input(tamis::fuzz::Bytes bytes) {
  const int file = ::memfd_create("input", MFD_CLOEXEC);
  tamis::fuzz::require(file >= 0, "memory for the input");
  const auto written = ::write(file, bytes.data(), bytes.size());
  tamis::fuzz::require(written == ssize_t(bytes.size()), "memory for the input");
  ::lseek(file, 0, SEEK_SET);
  ::dup2(file, STDIN_FILENO);
  ::close(file);
}

}  // namespace

FUZZ(npy_stream) {
  using namespace tamis;
  using namespace tamis::fuzz;
  Matrix<double> V, again;
  set_input(bytes);
  const bool read = accepted([&] { V = check_samples<double>("-"); });
  set_input(bytes);
  const bool same_end = accepted([&] { again = check_samples<double>("-"); });
  require(read == same_end && same<double>(V, again), "the same input gives the same samples");
  // As bytes, where they are
  set_input(bytes);
  accepted([&] {
    const auto reader = open_reader<float>("-");
    const Index F = reader->format().features();
    if (!reader->stores_bytes() || F > most_entries) return;
    Matrix<std::uint8_t> stored(F, 2);
    const Index n = reader->read_bytes(stored);
    require(n >= 0 && n <= 2, "no more samples come than were asked for");
    for (Index j = 0; read && j < std::min(n, V.cols()); ++j)
      require(stored.col(j).cast<double>().isApprox(reader->format().unit * V.col(j)),
              "bytes are the samples before division");
  });
}
