// tamis encode: codes and outliers of samples for a model that is there.

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "doubts.hpp"
#include "encode_flags.hpp"
#include "encoding.hpp"
#include "kept.hpp"
#include "outputs.hpp"
#include "report.hpp"

namespace tamis {
namespace {

struct EncodeFlags {
  Common common;
  InputFlags input;
  std::string model, codes, outliers;
  EncodeOptions options;
};

template <class T>
void run_encode(const EncodeFlags& flags) {
  watch_for_interrupt();
  check_kept({flags.model, flags.input.path}, {flags.codes, flags.outliers});
  check_writable({flags.codes, flags.outliers}, false, flags.common);
  if (flags.codes.empty() && flags.outliers.empty())
    throw SettingsError("nothing to write: give --codes FILE, --outliers FILE or both");
  const auto model = Model<T>::load(flags.model);
  Input<T> input(flags.input);
  say_doubts(flags.input, flags.common);
  const Outputs outputs(input.source, model.rank(), flags.common.force);
  const auto codes = outputs.template codes<T>(flags.codes);
  const auto outliers = outputs.template outliers<T>(flags.outliers);
  const EncodeCounts counts =
      encode_stream(model, input, flags.options, flags.common, "encode",
                    [&](const Matrix<T>&, const Encoding<T>& encoding, const Rows& rows) {
                      if (codes) codes->write(encoding.H, rows);
                      if (outliers) outliers->write(encoding.R, rows);
                    });
  if (codes) codes->finish();
  if (outliers) outliers->finish();

  const double mean = counts.loss / double(counts.samples);
  say(flags.common, fmt::format("{} samples encoded, mean loss {:.4g}, {:.2f} s",
                                with_commas(counts.samples), mean, counts.seconds));
  if (counts.unconverged_blocks > 0)
    say(flags.common, "some samples did not reach the tolerance; --iterations allows more");
  if (counts.regularized_blocks > 0)
    say(flags.common, "atoms are so much alike that equations had to be regularized");
  print_result(flags.common,
               {{"status", "completed"},
                {"samples", counts.samples},
                {"mean_loss", number(mean)},
                {"unconverged_blocks", counts.unconverged_blocks},
                {"regularized_blocks", counts.regularized_blocks},
                {"seconds", counts.seconds}},
               "");
}

}  // namespace

void add_encode(CLI::App& app) {
  const auto flags = std::make_shared<EncodeFlags>();
  CLI::App* command =
      add_command(app, "encode", "Codes and outliers of samples, for a model",
                  "tamis encode model.h5 new.npy --codes H.npy --outliers R.npy", flags->common);
  command->add_option("MODEL", flags->model, "Made by tamis fit")->required();
  command->add_option("INPUT", flags->input.path, input_help)->required();
  command->add_option("--codes", flags->codes, "H, one row per sample")
      ->type_name("FILE")
      ->group("Output");
  command->add_option("--outliers", flags->outliers, "R, one row per sample; .mtx is sparse")
      ->type_name("FILE")
      ->group("Output");
  add_force(*command, flags->common);
  add_encode_flags(*command, flags->options);
  command->add_option("--threads", flags->options.threads, "Threads to use; 0 for all")
      ->type_name("n")
      ->check(whole_number(0))
      ->capture_default_str()
      ->group("Accuracy");
  add_input_flags(*command, flags->input);
  command->callback([flags] {
    model_type(flags->model) == ElementType::f64 ? run_encode<double>(*flags)
                                                 : run_encode<float>(*flags);
  });
}

}  // namespace tamis
