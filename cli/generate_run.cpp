#include "generate_run.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {

void GenerateFlags::add_to(CLI::App& command, Knowledge known) {
  paths.add_to(command, known);
  add_force(command, common);
  command.add_option("--precision", precision, "Of all numbers: float, double")
      ->type_name("X")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str()
      ->group("Output");
}

namespace {

// The data as the user asked for them, made a block at a time.
template <class T>
ErrorSum write_all(Generator<T>& generator, GeneratedFiles<T>& files, ProgressMeter& meter) {
  const Index N = generator.samples();
  if (N == 0) throw DataError("the data have no samples");
  // V, V° and R° are there at the same time.
  const Index most = samples_per_block(3 * generator.format().features(), sizeof(T));
  Generated<T> made;
  ErrorSum error;
  for (Index first = 0; first < N; first += most) {
    generator.make(first, std::min(most, N - first), made);
    files.write(made, first);
    error.add<T>(made.clean, made.V);
    meter.show(first + made.V.cols(), N);
    stop_if_interrupted();
  }
  return error;
}

Json files_json(const GeneratedPaths& paths) {
  Json json = Json::object();
  const auto add = [&](const char* name, const std::string& path) {
    if (!path.empty()) json[name] = path;
  };
  add("out", paths.out);
  add("clean", paths.clean);
  add("outliers", paths.outliers);
  add("codes", paths.codes);
  add("dictionary", paths.dictionary);
  add("masks", paths.masks);
  return json;
}

}  // namespace

template <class T>
void run_generate(const GenerateFlags& flags, const Recipe<T>& recipe) {
  watch_for_interrupt();
  const GeneratedPaths paths = flags.paths.resolved(recipe.known);
  NewFolder folder(flags.paths.truth);
  check_writable(paths.all(), false, flags.common);
  const std::unique_ptr<Generator<T>> generator = recipe.make();
  GeneratedFiles<T> files(*generator, paths,
                          {.format = generator->format(),
                           .rows = generator->samples(),
                           .force = flags.common.force,
                           .name = recipe.name,
                           .interrupted = interrupt_requested});
  ProgressMeter meter(flags.common, "generate");
  const ErrorSum error = write_all(*generator, files, meter);
  files.finish();
  folder.keep();
  meter.clear();

  const double seconds = meter.seconds();
  if (std::isinf(error.psnr()) && recipe.options.value("nu", 0.0) > 0)
    say(flags.common,
        "warning: nothing was spoiled: --nu of the samples and --nu-tilde of their entries, "
        "rounded down, is none");
  say(flags.common,
      fmt::format("{} samples of {} features, PSNR {:.2f} dB against the clean ones, {:.2f} s; "
                  "they are in {}",
                  with_commas(error.samples()), with_commas(error.features()), error.psnr(),
                  seconds, paths.out == "-" ? "the pipe" : paths.out));
  print_result(flags.common,
               {{"status", "completed"},
                {"samples", error.samples()},
                {"features", error.features()},
                {"shape", generator->format().shape},
                {"psnr", number(error.psnr())},
                {"seconds", seconds},
                {"options", recipe.options},
                {"files", files_json(paths)}},
               "");
}

template void run_generate(const GenerateFlags&, const Recipe<float>&);
template void run_generate(const GenerateFlags&, const Recipe<double>&);

}  // namespace tamis
