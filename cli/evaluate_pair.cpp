#include "evaluate_pair.hpp"

#include <fmt/format.h>

#include "tamis/error.hpp"

namespace tamis {

PairedInput PairFlags::open() const {
  PairedOptions chosen = options;
  if (limit > 0) chosen.limit = limit;
  return {first, second, chosen};
}

void add_pair(CLI::App& command, PairFlags& flags, const std::string& first,
              const std::string& first_help, const std::string& second,
              const std::string& second_help) {
  command
      .add_option(first, flags.first, fmt::format("{}: any input that tamis fit takes", first_help))
      ->required();
  command.add_option(second, flags.second, second_help)->required();
  command.add_option("--limit", flags.limit, "Only the first n samples")
      ->type_name("n")
      ->check(whole_number(1))
      ->group("Input");
}

void add_color(CLI::App& command, PairFlags& flags) {
  command.add_flag("--color", flags.options.color, "Images and frames in colour instead of gray")
      ->group("Input");
}

void add_peak(CLI::App& command, PairFlags& flags) {
  command
      .add_option("--peak", flags.options.peak,
                  "Largest value; integers have their own, 255 or 65535")
      ->type_name("x")
      ->check(a_number(false))
      ->capture_default_str()
      ->group("Input");
}

std::string extent(Index samples, Index features) {
  return fmt::format("{} samples of {} features", with_commas(samples), with_commas(features));
}

Json pair_json(const PairFlags& flags, const char* first, const char* second) {
  return {{"status", "completed"}, {first, flags.first}, {second, flags.second}};
}

void require_samples(const PairFlags& flags, Index samples) {
  if (samples == 0)
    throw DataError(fmt::format("{} and {}: there are no samples", flags.first, flags.second));
}

}  // namespace tamis
