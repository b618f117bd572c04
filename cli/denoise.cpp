// tamis denoise: samples with their gross errors replaced. Without a model, one is learned from
// the samples themselves first.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "encode_flags.hpp"
#include "encoding.hpp"
#include "outputs.hpp"
#include "report.hpp"
#include "settings_flags.hpp"
#include "tamis/denoise.hpp"

namespace tamis {
namespace {

struct DenoiseFlags {
  Common common;
  InputFlags input;
  SettingsFlags settings;
  std::vector<std::string> names;  // [model] input
  std::string out;
  double threshold = -1;  // unset
  bool reconstruction = false;
  EncodeOptions options;
};

template <class T>
Model<T> learn(const DenoiseFlags& flags, Input<T>& input) {
  Trainer<T> trainer(flags.settings.settings());
  const FitResult<T> result = fit_with_progress(trainer, input, {}, flags.common);
  stop_if_interrupted();
  if (result.status == Status::diverged) throw RunFailed(result.message);
  say(flags.common, summary(result));
  return result.model;
}

template <class T>
void run_denoise(const DenoiseFlags& flags, const std::optional<std::string>& model_file) {
  watch_for_interrupt();
  check_writable({flags.out}, false, flags.common);
  Input<T> input(flags.input);
  if (!model_file && input.source.reader().access() == Access::once)
    throw DataError(
        "standard input: a pipe flows by once, but learning and denoising takes two passes: give a "
        "model, or save the data to a file first");
  // Before the work of learning: it may not be possible.
  const auto out = Outputs(input.source, 0, flags.common.force).template samples<T>(flags.out);
  if (model_file) flags.settings.check_unused(*model_file);
  const Model<T> model = model_file ? Model<T>::load(*model_file) : learn<T>(flags, input);
  std::optional<double> threshold;
  if (flags.threshold >= 0) threshold = flags.threshold / input.source.format().unit;
  const EncodeCounts counts =
      encode_stream(model, input, flags.options, flags.common, "denoise",
                    [&](const Matrix<T>& V, const Encoding<T>& encoding, const Rows& rows) {
                      if (flags.reconstruction)
                        return out->write(model.reconstruct(encoding.H), rows);
                      if (!threshold) threshold = inlier_threshold<T>(model, V, encoding);
                      out->write(denoise<T>(model, V, encoding, *threshold), rows);
                    });
  out->finish();
  Json json{{"status", "completed"},
            {"samples", counts.samples},
            {"seconds", counts.seconds},
            {"out", flags.out}};
  if (!flags.reconstruction) json["threshold"] = number(*threshold * input.source.format().unit);
  say(flags.common, fmt::format("{} samples denoised in {:.2f} s; they are in {}",
                                with_commas(counts.samples), counts.seconds, flags.out));
  print_result(flags.common, json, "");
}

// What is intact must come out as it came in, so entries of 64 bits stay that.
bool needs_double(const DenoiseFlags& flags, const std::optional<std::string>& model) {
  if (model && model_type(*model) == ElementType::f64) return true;
  return flags.input.path == "-" ||  // a pipe cannot be looked at twice
         open_reader<float>(flags.input.path, open_options(flags.input))->format().type ==
             ElementType::f64;
}

}  // namespace

void add_denoise(CLI::App& app) {
  const auto flags = std::make_shared<DenoiseFlags>();
  CLI::App* command = add_command(app, "denoise", "Replace what does not fit the model",
                                  "tamis denoise faces/ --out clean/ --rank 49", flags->common);
  command
      ->add_option("INPUT", flags->names,
                   "A model, and samples of any kind that tamis fit takes; without a model one is "
                   "learned from the samples first")
      ->type_name("[MODEL] INPUT")
      ->required()
      ->expected(1, 2)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--out", flags->out, "Cleaned samples, in the units of the input")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  add_force(*command, flags->common);
  command
      ->add_option("--threshold", flags->threshold,
                   "An entry this far from the reconstruction is replaced [3 times the noise]")
      ->type_name("x")
      ->check(a_number(true))
      ->group("Output");
  command->add_flag("--reconstruction", flags->reconstruction, "WH itself, nothing of the input")
      ->group("Output");
  add_encode_flags(*command, flags->options);
  flags->settings.add_to(*command);
  add_input_flags(*command, flags->input);
  command->callback([flags] {
    if (flags->names.size() > 2)
      throw SettingsError(flags->names.back() +
                          " was not expected: a model and an input are enough");
    flags->input.path = flags->names.back();
    flags->options.threads = flags->settings.threads().value_or(0);
    std::optional<std::string> model;
    if (flags->names.size() == 2) model = flags->names.front();
    needs_double(*flags, model) ? run_denoise<double>(*flags, model)
                                : run_denoise<float>(*flags, model);
  });
}

}  // namespace tamis
