// tamis generate: data whose truth is known.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "commands.hpp"
#include "doubts.hpp"
#include "generate_run.hpp"
#include "input.hpp"
#include "kept.hpp"

namespace tamis {
namespace {

template <class Options>
void add_generator(CLI::App& group) {
  struct Flags {
    GenerateFlags generate;
    Options options;
  };
  constexpr Knowledge known{.factors = Options::has_factors, .masks = Options::has_masks};
  const auto flags = std::make_shared<Flags>();
  const std::string name(Options::name);
  CLI::App* command = add_command(
      group, name, std::string(Options::help),
      fmt::format("tamis generate {0} --out {0}.npy --truth truth", name), flags->generate.common);
  add_option_flags(*command, flags->options);
  flags->generate.add_to(*command, known);
  command->callback([flags, known] {
    const auto run = [&]<class T>(T /*precision*/) {
      run_generate<T>(flags->generate, {.known = known,
                                        .options = options_json(flags->options),
                                        .make = [&] { return make_generator<T>(flags->options); }});
    };
    flags->generate.precision == "double" ? run(double{}) : run(float{});
  });
}

struct CorruptFlags {
  GenerateFlags generate;
  CorruptOptions options;
  InputFlags input;
  bool shuffle = false;
  std::string normalize = "none";
};

// Told by the file, or found by reading all of it, or for a pipe as many as the user wants of it.
template <class T>
std::optional<Index> count_samples(ReaderSource<T>& source, std::optional<Index> limit) {
  if (source.samples()) return source.samples();
  if (source.reader().access() == Access::once) return limit;
  const Index most = samples_per_block(source.features(), sizeof(T));
  Index n = 0;
  SampleBlock<T> block;
  for (source.start({}); source.read(most, block); n += block.V.cols()) stop_if_interrupted();
  return n;
}

template <class T>
void run_corrupt(const CorruptFlags& flags) {
  check_kept({flags.input.path}, flags.generate.paths.resolved({}).all());
  check_options(flags.options);
  Normalize normalize;
  text::read("--normalize", flags.normalize, normalize);
  const StreamOptions stream = stream_options(flags.input);
  auto source = std::make_unique<ReaderSource<T>>(
      open_reader<T>(flags.input.path, open_options(flags.input)), stream);
  say_doubts(flags.input, flags.generate.common);
  Json options = options_json(flags.options);
  options["normalize"] = flags.normalize;
  options["repeat"] = stream.repeat;
  options["shuffle"] = flags.shuffle;

  Recipe<T> recipe{.known = {}, .options = options, .make = {}};
  const bool as_it_came = stream.repeat == 1 && !flags.shuffle;
  const Reader<T>& reader = source->reader();  // lives on in the generator
  if (as_it_came && reader.samples())
    recipe.name = [&reader](Index row) { return reader.name(row); };
  recipe.make = [&] {
    const std::optional<Index> samples = count_samples(*source, stream.limit);
    const Pass pass{.shuffle = flags.shuffle, .seed = flags.options.seed};
    return make_corrupt_generator<T>(std::move(source), pass, normalize, flags.options, samples);
  };
  naming_file(flags.input.path, [&] { run_generate<T>(flags.generate, recipe); });
}

void add_corrupt(CLI::App& group) {
  const auto flags = std::make_shared<CorruptFlags>();
  CLI::App* command = add_command(
      group, "corrupt", "Samples of your own with outliers and noise added",
      "tamis generate corrupt faces.npy --normalize max --repeat 50 --shuffle --out V.npy --truth "
      "truth",
      flags->generate.common);
  command->add_option("INPUT", flags->input.path, input_help)->required();
  add_option_flags(*command, flags->options);
  flags->generate.add_to(*command, {});
  command->add_option("--normalize", flags->normalize, "Scale every sample first: none, max")
      ->type_name("X")
      ->capture_default_str()
      ->group("Input");
  command->add_flag("--shuffle", flags->shuffle, "In random order; outliers come after that")
      ->group("Input");
  add_input_flags(*command, flags->input);
  command->callback([flags] {
    flags->generate.precision == "double" ? run_corrupt<double>(*flags)
                                          : run_corrupt<float>(*flags);
  });
}

}  // namespace

void add_generate(CLI::App& app) {
  CLI::App* group = app.add_subcommand("generate", "Make data whose truth is known");
  group->require_subcommand(1);
  group->footer("Example:\n  tamis generate synthetic --samples 1e5 --out V.npy --truth truth");
  for_each_option<GeneratorOptions>(
      [&]<class Options>(const Options&) { add_generator<Options>(*group); });
  add_corrupt(*group);
}

}  // namespace tamis
