// Generated data by their names: synthetic:samples=1e7,nu=0.9
#include "tamis/generate/generator.hpp"
#include "fuzz/samples.hpp"
#include "generate/options.hpp"

namespace {

using namespace tamis;

// Little enough to be made here
bool is_small(const SyntheticOptions& options) { return options.F <= 256 && options.K <= 64; }
bool is_small(const SwimmerOptions&) { return true; }
bool is_small(const VideoOptions& options) {
  const StreetOptions& street = options.street;
  return street.height <= 64 && street.width <= 64 && street.objects <= 16;
}

}  // namespace

FUZZ(generator) {
  using namespace tamis::fuzz;
  const std::string input(text_of(bytes));
  accepted([&] {
    const GeneratorOptions options = parse_generator(input);
    if (!names_generator(input) || !std::visit([](const auto& o) { return is_small(o); }, options))
      return;
    check_input(input);
  });
}
