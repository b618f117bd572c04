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
    const auto reader = open_reader<float>(input);
    check_format(reader->format());
    const Index last = *reader->samples() - 1;
    require(last >= 0, "there are samples");
    for (const Index sample : {last, Index(0)}) {
      reader->seek(sample);
      const Matrix<float> v = next_block<float>(*reader, 1, 0);
      reader->seek(sample);
      require(same<float>(next_block<float>(*reader, 1, 1), v), "a sample stays what it was");
      require(v.minCoeff() >= 0 && v.maxCoeff() <= 1, "everything is clipped");
    }
  });
}
