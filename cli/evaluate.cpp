// tamis evaluate: how good is it, against a known truth?

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "common.hpp"
#include "evaluate_measures.hpp"
#include "evaluate_pair.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "tamis/evaluate.hpp"

namespace tamis {
namespace {

struct OutlierFlags : PairFlags {
  double threshold = 0;
};

ErrorSum sum_errors(const PairFlags& flags, double& largest) {
  watch_for_interrupt();
  PairedInput input = flags.open();
  ErrorSum sum;
  largest = 0;
  while (input.next()) {
    sum.add<double>(input.first(), input.second());
    largest = std::max(largest, input.first().maxCoeff());
  }
  require_samples(flags, sum.samples());
  return sum;
}

void run_psnr(const PairFlags& flags) {
  double largest = 0;
  const ErrorSum sum = sum_errors(flags, largest);
  if (largest > 1)
    say(flags.common, fmt::format("note: {} has entries up to {:.4g} times the largest value that "
                                  "PSNR is relative to; --peak tells what it should be",
                                  flags.first, largest));
  Json json = pair_json(flags, "clean", "estimate");
  json["psnr"] = number(sum.psnr());
  json["samples"] = sum.samples();
  json["features"] = sum.features();
  print_result(
      flags.common, json,
      fmt::format("PSNR {:.4f} dB over {}\n", sum.psnr(), extent(sum.samples(), sum.features())));
}

void run_error(const PairFlags& flags) {
  double largest = 0;
  const ErrorSum sum = sum_errors(flags, largest);
  Json json = pair_json(flags, "clean", "estimate");
  json["relative_error"] = number(sum.relative_error());
  json["samples"] = sum.samples();
  json["features"] = sum.features();
  print_result(flags.common, json,
               fmt::format("relative error {:.6f} over {}\n", sum.relative_error(),
                           extent(sum.samples(), sum.features())));
}

void run_outliers(const OutlierFlags& flags) {
  watch_for_interrupt();
  PairedInput input = flags.open();
  OutlierCount count;
  while (input.next()) count.add<double>(input.first(), input.second(), flags.threshold);
  require_samples(flags, input.samples());
  const OutlierScore score = count.score();
  Json json = pair_json(flags, "truth", "outliers");
  json["threshold"] = flags.threshold;
  json["precision"] = score.precision;
  json["recall"] = score.recall;
  json["f"] = score.f;
  json["hits"] = count.hits;
  json["false_alarms"] = count.false_alarms;
  json["misses"] = count.misses;
  json["samples"] = input.samples();
  json["features"] = input.features();
  print_result(flags.common, json,
               fmt::format("precision {:.4f}  recall {:.4f}  F {:.4f}\n"
                           "{} outliers found, {} false alarms, {} missed, in {}\n",
                           score.precision, score.recall, score.f, with_commas(count.hits),
                           with_commas(count.false_alarms), with_commas(count.misses),
                           extent(input.samples(), input.features())));
}

void add_errors(CLI::App& group) {
  for (const bool psnr : {true, false}) {
    const auto flags = std::make_shared<PairFlags>();
    CLI::App* command = add_command(
        group, psnr ? "psnr" : "error",
        psnr ? "-10 log10 of the mean squared error, in dB"
             : "Norm of the error relative to that of the clean samples",
        fmt::format("tamis evaluate {} clean.npy denoised.npy", psnr ? "psnr" : "error"),
        flags->common);
    add_pair(*command, *flags, "CLEAN", "What it should be", "ESTIMATE", "What it is");
    add_color(*command, *flags);
    add_peak(*command, *flags);
    command->callback([flags, psnr] { psnr ? run_psnr(*flags) : run_error(*flags); });
  }
}

void add_outliers(CLI::App& group) {
  const auto flags = std::make_shared<OutlierFlags>();
  CLI::App* command = add_command(
      group, "outliers", "How many outliers were found, and how many are none",
      "tamis evaluate outliers truth/outliers.npy R.npy --threshold 0.1", flags->common);
  add_pair(*command, *flags, "TRUTH", "Not 0 where there is an outlier", "R",
           "What was found, by tamis fit or encode");
  add_color(*command, *flags);
  command->add_option("--threshold", flags->threshold, "An entry beyond it counts as an outlier")
      ->type_name("x")
      ->check(a_number(true))
      ->capture_default_str()
      ->group("Measure");
  command->callback([flags] { run_outliers(*flags); });
}

}  // namespace

void add_evaluate(CLI::App& app) {
  CLI::App* group = app.add_subcommand("evaluate", "Measure results against a known truth");
  group->require_subcommand(1);
  group->footer("Example:\n  tamis evaluate psnr truth/clean.npy denoised.npy");
  add_errors(*group);
  add_evaluate_atoms(*group);
  add_outliers(*group);
  add_evaluate_mask(*group);
  add_evaluate_ssim(*group);
  add_evaluate_shadow(*group);
}

}  // namespace tamis
