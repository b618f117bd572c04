// tamis relight: pictures of one object under changing light, without its cast shadows.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.hpp"
#include "encode_flags.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "kept.hpp"
#include "outputs.hpp"
#include "panel.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "settings_flags.hpp"
#include "tamis/error.hpp"
#include "tamis/image/relight.hpp"

namespace tamis {
namespace {

struct RelightFlags {
  Common common;
  InputFlags input;
  SettingsFlags settings;
  std::string out, panel;
  bool reconstruction = false;
  EncodeOptions options;
};

// All of them: a shadow is known from the pictures that do not have it.
template <class T>
Matrix<T> read_all(Input<T>& input) {
  Matrix<T> V(input.source.features(), 0);
  SampleBlock<T> block;
  constexpr Index at_once = 64;
  input.source.start({});
  while (input.source.read(at_once, block)) {
    const Index before = V.cols();
    V.conservativeResize(Eigen::NoChange, before + block.V.cols());
    V.rightCols(block.V.cols()) = block.V;
    stop_if_interrupted();
  }
  return V;
}

template <class T>
void check_pixels(const Matrix<T>& V, bool missing) {
  if (V.cols() == 0) throw DataError("there are no pictures");
  for (Index j = 0; j < V.cols(); ++j)
    for (Index i = 0; i < V.rows(); ++i) {
      const bool known = !std::isnan(V(i, j));
      if (known ? !(V(i, j) >= 0) || std::isinf(V(i, j)) : !missing)
        throw DataError(fmt::format("pixel {} of picture {} is {}; {}", i, j, V(i, j),
                                    known ? "pixels are finite and not negative"
                                          : "if NaN marks missing pixels, say so with --missing "
                                            "nan"));
    }
}

template <class T>
void run_relight(const RelightFlags& flags) {
  watch_for_interrupt();
  check_kept({flags.input.path}, {flags.panel});  // --out may be the same pictures
  check_writable({flags.out, flags.panel}, false, flags.common);
  RelightOptions options;
  options.settings = flags.settings.settings(RelightOptions::relight_settings());
  options.settings.validate();
  options.encoding = flags.options;
  options.reconstruction = flags.reconstruction;
  Input<T> input(flags.input);
  if (!input.source.format().image())
    throw DataError(flags.input.path + ": its samples are not pictures");
  const auto out = Outputs(input.source, 0, flags.common.force).template samples<T>(flags.out);
  PanelWriter panel(flags.panel, flags.common.force);
  ProgressMeter meter(flags.common, "relight");
  options.progress = [](double) { return !interrupt_requested(); };
  Matrix<T> V;
  const Relit<T> relit = naming_file(flags.input.path, [&] {
    V = read_all(input);
    check_pixels(V, options.settings.missing);
    return relight<T>(V, PictureSize::of(input.source.format().shape), options);
  });
  stop_if_interrupted();
  out->write(relit.pictures, Rows{0});
  for (Index j = 0; panel.wanted() && j < V.cols(); ++j)
    panel.add(input.source.name(j), input.source.format(),
              {{"before", shown(V.col(j))},
               {"after", shown(relit.pictures.col(j))},
               {"replaced (white)", shown(relit.replaced.col(j)), true}});
  out->finish();
  panel.finish();
  const auto share = double(relit.replaced.mean());
  say(flags.common, fmt::format("{} pictures relit in {:.2f} s; they are in {}",
                                with_commas(V.cols()), meter.seconds(), flags.out));
  print_result(flags.common,
               {{"status", "completed"},
                {"samples", V.cols()},
                {"seconds", meter.seconds()},
                {"out", flags.out},
                {"rank", std::min(options.settings.rank, V.cols())},
                {"replaced_share", share}},
               "");
}

}  // namespace

void add_relight(CLI::App& app) {
  const auto flags = std::make_shared<RelightFlags>();
  CLI::App* command =
      add_command(app, "relight", "Remove cast shadows from pictures of one object",
                  "tamis relight faces/ --out relit/ --panel before-after/", flags->common);
  command->add_option("INPUT", flags->input.path, input_help)->required();
  command->add_option("--out", flags->out, "The same pictures without cast shadows")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  add_force(*command, flags->common);
  command->add_flag("--reconstruction", flags->reconstruction, "WH itself, nothing of the pictures")
      ->group("Output");
  add_panel_flag(*command, flags->panel);
  add_encode_flags(*command, flags->options);
  flags->settings.add_to(*command, RelightOptions::relight_settings());
  add_input_flags(*command, flags->input);
  command->callback([flags] {
    flags->options.threads = flags->settings.threads().value_or(0);
    const bool wide = flags->input.path != "-" && stored_as_double(flags->input);
    wide ? run_relight<double>(*flags) : run_relight<float>(*flags);
  });
}

}  // namespace tamis
