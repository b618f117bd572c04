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
  if (a.features() != b.features())
    refuse("samples", fmt::format("of shape {}", fmt::join(a.shape, "x")),
           fmt::format("of shape {}", fmt::join(b.shape, "x")));
  const auto n = first_.reader->samples(), m = second_.reader->samples();
  if (n && m && *n != *m && !options.limit)
    refuse("data", fmt::format("of {} samples", *n), fmt::format("of {}", *m));
}

void PairedInput::refuse(const std::string& what, const std::string& of_first,
                         const std::string& of_second) const {
  throw DataError(fmt::format("{} and {} cannot be compared: {} {} and {}", first_.path,
                              second_.path, what, of_first, of_second));
}

bool PairedInput::next() {
  stop_if_interrupted();
  Index most = samples_per_block(2 * features_, sizeof(double));
  if (options_.limit) most = std::min(most, *options_.limit - samples_);
  first_.read(most);
  second_.read(most);
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
