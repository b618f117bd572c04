// tamis denoise: samples with their gross errors replaced. Without a model, one is learned from
// the samples themselves first. Photographs: see denoise_photos.cpp.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "denoise_flags.hpp"
#include "doubts.hpp"
#include "encode_flags.hpp"
#include "encoding.hpp"
#include "io/image_file.hpp"
#include "io/image_list.hpp"
#include "kept.hpp"
#include "outputs.hpp"
#include "panel.hpp"
#include "report.hpp"
#include "tamis/denoise.hpp"
#include "tamis/image/photo.hpp"

namespace tamis {
namespace {

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
void add_panels(PanelWriter& panel, const Input<T>& input, const Matrix<T>& V, const Matrix<T>& X,
                const Rows& rows) {
  for (Index j = 0; j < V.cols(); ++j)
    panel.add(input.source.name(rows[j]), input.source.format(),
              {{"before", shown(V.col(j))}, {"after", shown(X.col(j))}});
}

template <class T>
void run_denoise(const DenoiseFlags& flags, const std::optional<std::string>& model_file) {
  watch_for_interrupt();
  check_kept({model_file.value_or("")}, {flags.out, flags.panel});
  check_kept({flags.input.path}, {flags.panel});  // --out may be the input, cleaned in place
  check_writable({flags.out, flags.panel}, false, flags.common);
  Input<T> input(flags.input);
  say_doubts(flags.input, flags.common);
  if (!model_file && input.source.reader().access() == Access::once)
    throw DataError(
        "standard input: a pipe flows by once, but learning and denoising takes two passes: give a "
        "model, or save the data to a file first");
  // Before the work of learning: it may not be possible.
  const auto out = Outputs(input.source, 0, flags.common.force).template samples<T>(flags.out);
  PanelWriter panel(flags.panel, flags.common.force);
  if (panel.wanted() && !input.source.format().image())
    throw SettingsError("--panel is for images; samples of " + flags.input.path + " are not");
  if (model_file) flags.settings.check_unused(*model_file);
  const Model<T> model = model_file ? Model<T>::load(*model_file) : learn<T>(flags, input);
  std::optional<double> threshold;
  const bool given = flags.threshold >= 0;
  if (given) threshold = flags.threshold / input.source.format().unit;
  const ThresholdUnit unit = given ? ThresholdUnit::data : ThresholdUnit::scaled;
  const EncodeCounts counts = encode_stream(
      model, input, flags.options, flags.common, "denoise",
      [&](const Matrix<T>& V, const Encoding<T>& encoding, const Rows& rows) {
        if (!flags.reconstruction && !threshold)
          threshold = inlier_threshold<T>(model, V, encoding);
        const Matrix<T> X = flags.reconstruction
                                ? model.reconstruct(encoding.H)
                                : denoise<T>(model, V, encoding, threshold.value_or(0), unit);
        out->write(X, rows);
        if (panel.wanted()) add_panels<T>(panel, input, V, X, rows);
      });
  out->finish();
  panel.finish();
  Json json{{"status", "completed"},
            {"samples", counts.samples},
            {"seconds", counts.seconds},
            {"out", flags.out}};
  const bool of_maximum =
      !given && std::holds_alternative<NormalizeMax>(model.settings.normalize.value());
  if (threshold && of_maximum)
    json["threshold_of_maximum"] = number(*threshold);
  else if (threshold)
    json["threshold"] = number(*threshold * input.source.format().unit);
  say(flags.common, fmt::format("{} samples denoised in {:.2f} s; they are in {}",
                                with_commas(counts.samples), counts.seconds, flags.out));
  print_result(flags.common, json, "");
}

// What is intact must come out as it came in, so entries of 64 bits stay that.
bool needs_double(const DenoiseFlags& flags, const std::optional<std::string>& model) {
  if (model && model_type(*model) == ElementType::f64) return true;
  return flags.input.path == "-" || stored_as_double(flags.input);
}

// One picture alone has nothing to learn from but its patches.
bool by_patches(const DenoiseFlags& flags, const std::optional<std::string>& model) {
  const bool asked = flags.patch > 0 || flags.stride > 0 || !flags.missing_mask.empty();
  if (asked && model)
    throw SettingsError(
        "--patch, --stride and --missing-mask learn from the picture itself; "
        "leave out the model " +
        *model);
  return asked || (!model && is_image_name(flags.input.path) && !is_pattern(flags.input.path));
}

void add_photo_flags(CLI::App& command, DenoiseFlags& flags) {
  const std::string group = "Photographs";
  command
      .add_option("--patch", flags.patch,
                  "Images that are not aligned: each is learned from its own patches of this many "
                  "pixels on a side [8 for a single image]")
      ->type_name("n")
      ->check(whole_number(1))
      ->group(group);
  command.add_option("--stride", flags.stride, "Pixels from one patch to the next [2]")
      ->type_name("n")
      ->check(whole_number(1))
      ->group(group);
  command
      .add_option("--missing-mask", flags.missing_mask,
                  "Pixels to fill in, white in this image; one for all pictures, or one for each")
      ->type_name("FILE")
      ->group(group);
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
  CLI::Option* threshold =
      command
          ->add_option("--threshold", flags->threshold,
                       "An entry this far from the reconstruction is replaced [3 times the noise]")
          ->type_name("x")
          ->check(a_number(true))
          ->group("Output");
  CLI::Option* keep = command
                          ->add_flag("--keep-inliers", flags->keep_inliers,
                                     "Leave alone what fits the model; the default")
                          ->group("Output");
  command->add_flag("--reconstruction", flags->reconstruction, "WH itself, nothing of the input")
      ->excludes(keep)
      ->excludes(threshold)  // by which parts of the input are kept
      ->group("Output");
  add_panel_flag(*command, flags->panel);
  add_photo_flags(*command, *flags);
  add_encode_flags(*command, flags->options);
  command->get_option("--tolerance")
      ->default_str(fmt::format("{}; by patches: {}", flags->options.tolerance,
                                PhotoOptions{}.encoding.tolerance));
  flags->settings.add_to(*command, PhotoOptions::photo_settings(), "by patches");
  add_input_flags(*command, flags->input);
  command->callback([flags, command] {
    if (flags->names.size() > 2)
      throw SettingsError(flags->names.back() +
                          " was not expected: a model and an input are enough");
    flags->input.path = flags->names.back();
    flags->options.threads = flags->settings.threads().value_or(0);
    std::optional<std::string> model;
    if (flags->names.size() == 2) model = flags->names.front();
    flags->tolerance_given = command->count("--tolerance") > 0;
    const bool patches = by_patches(*flags, model);
    if (needs_double(*flags, model)) {
      patches ? run_denoise_photos<double>(*flags) : run_denoise<double>(*flags, model);
    } else {
      patches ? run_denoise_photos<float>(*flags) : run_denoise<float>(*flags, model);
    }
  });
}

}  // namespace tamis
