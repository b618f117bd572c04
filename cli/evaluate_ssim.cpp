// tamis evaluate ssim: how alike pictures look.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "evaluate_measures.hpp"
#include "evaluate_pair.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "tamis/evaluate/ssim.hpp"

namespace tamis {
namespace {

void run_ssim(const PairFlags& flags) {
  watch_for_interrupt();
  PairedInput input = flags.open();
  double sum = 0, least = 1;
  naming_file(flags.first, [&] {
    while (input.next())
      for (Index j = 0; j < input.first().cols(); ++j) {
        const double value = ssim(input.first().col(j), input.second().col(j), input.shape());
        sum += value;
        least = std::min(least, value);
      }
  });
  require_samples(flags, input.samples());
  const double mean = sum / double(input.samples());
  Json json = pair_json(flags, "clean", "estimate");
  json.update({{"ssim", mean}, {"least", least}, {"samples", input.samples()}});
  print_result(flags.common, json,
               input.samples() == 1 ? fmt::format("SSIM {:.4f}\n", mean)
                                    : fmt::format("SSIM {:.4f} in the mean of {} images, the "
                                                  "least {:.4f}\n",
                                                  mean, with_commas(input.samples()), least));
}

}  // namespace

void add_evaluate_ssim(CLI::App& group) {
  const auto flags = std::make_shared<PairFlags>();
  CLI::App* command =
      add_command(group, "ssim", "Structural similarity of images, 1 if they are equal",
                  "tamis evaluate ssim clean.png denoised.png", flags->common);
  add_pair(*command, *flags, "CLEAN", "What it should be", "ESTIMATE", "What it is");
  add_color(*command, *flags);
  add_peak(*command, *flags);
  command->callback([flags] { run_ssim(*flags); });
}

}  // namespace tamis
