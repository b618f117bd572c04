#include "paired_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "encoding.hpp"
#include "interrupt.hpp"
#include "tamis/error.hpp"

namespace tamis {

void PairedInput::Side::open(const std::string& input, const PairedOptions& options) {
  OpenOptions open_options;
  open_options.color = options.color;
  open_options.interrupted = interrupt_requested;
  path = input;
  reader = open_reader<double>(input, open_options);
  if (unit_of(reader->format().type) == 1) divisor = options.peak;
}

void PairedInput::Side::read(Index n) {
  V.resize(reader->format().features(), n);
  Index have = 0, more = 1;
  while (have < n && more > 0) have += more = reader->read(V.rightCols(n - have));
  if (have < n) V.conservativeResize(Eigen::NoChange, have);
  V /= divisor;
}

void PairedInput::Side::read_at(std::span<const Index> places) {
  V.resize(reader->format().features(), Index(places.size()));
  for (Index j = 0; j < V.cols(); ++j) {
    const Index place = places[std::size_t(j)];
    if (reader->samples() && place >= *reader->samples())
      return V.conservativeResize(Eigen::NoChange, j);
    if (reader->access() == Access::random) {
      reader->seek(next = place);
    } else if (place < next) {
      if (reader->access() == Access::once)
        throw DataError(path + ": flows by once, so the numbers of samples must be increasing");
      reader->seek(next = 0);
    }
    for (; next <= place; ++next)
      if (reader->read(V.col(j)) == 0) return V.conservativeResize(Eigen::NoChange, j);
  }
  V /= divisor;
}

void PairedInput::Side::check_finite(Index samples_before) const {
  for (Index j = 0; j < V.cols(); ++j)
    if (!V.col(j).allFinite())
      throw DataError(
          fmt::format("{}: sample {} has an entry that is not finite", path, samples_before + j));
}

PairedInput::PairedInput(const std::string& first, const std::string& second,
                         const PairedOptions& options)
    : options_(options) {
  if (first == "-" && second == "-")
    throw SettingsError("both inputs cannot come from standard input");
  first_.open(first, options);
  second_.open(second, options);
  const SampleFormat& a = first_.reader->format();
  const SampleFormat& b = second_.reader->format();
  features_ = a.features();
  const bool pictures = a.shape.size() > 1 && b.shape.size() > 1;
  if (a.features() != b.features() || (pictures && a.shape != b.shape))
    refuse("samples", fmt::format("of shape {}", fmt::join(a.shape, "x")),
           fmt::format("of shape {}", fmt::join(b.shape, "x")));
  check_numbers();
}

void PairedInput::check_numbers() const {
  const auto n = first_.reader->samples();
  auto m = second_.reader->samples();
  if (options_.places) {
    m = Index(options_.places->size());
    if (n && *n != *m && !options_.limit)
      throw DataError(fmt::format("{} has {} samples, but there are {} numbers of samples of {}",
                                  first_.path, *n, *m, second_.path));
  } else if (n && m && *n != *m && !options_.limit) {
    refuse("data", fmt::format("of {} samples", *n), fmt::format("of {}", *m));
  }
}

void PairedInput::refuse(const std::string& what, const std::string& of_first,
                         const std::string& of_second) const {
  throw DataError(fmt::format("{} and {} cannot be compared: {} {} and {}", first_.path,
                              second_.path, what, of_first, of_second));
}

void PairedInput::read_second(Index n) {
  if (!options_.places) return second_.read(n);
  const std::span<const Index> all(*options_.places);
  const std::span<const Index> places =
      all.subspan(std::size_t(std::min(samples_, Index(all.size()))));
  const auto wanted = places.first(std::min(std::size_t(n), places.size()));
  second_.read_at(wanted);
  if (const auto read = std::size_t(second_.V.cols()); read < wanted.size())
    throw DataError(
        fmt::format("{}: has no sample {}, counted from 0", second_.path, wanted[read]));
}

bool PairedInput::next() {
  stop_if_interrupted();
  Index most = samples_per_block(2 * features_, sizeof(double));
  if (options_.limit) most = std::min(most, *options_.limit - samples_);
  first_.read(most);
  read_second(most);
  if (first_.V.cols() != second_.V.cols()) {
    const auto count = [&](const Side& side) {
      const Index n = samples_ + side.V.cols();
      return side.V.cols() < most ? fmt::format("of {} samples", n)
                                  : fmt::format("of at least {}", n);
    };
    refuse("data", count(first_), count(second_));
  }
  first_.check_finite(samples_);
  second_.check_finite(samples_);
  samples_ += first_.V.cols();
  return first_.V.cols() > 0;
}

}  // namespace tamis
