// tamis experiment: the study's figures and tables, one command each.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "common.hpp"
#include "experiment_names.hpp"
#include "experiments/algorithms.hpp"
#include "experiments/drawing.hpp"
#include "experiments/runner.hpp"
#include "interrupt.hpp"
#include "settings/suggest.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

using experiments::Experiment;

constexpr const char* all_of_them = "all";

struct ExperimentFlags {
  Common common;
  std::string name;
  experiments::Options options;
  Index runs = 0, batch_runs = 0;  // 0: the experiment's own
  bool no_plots = false;
};

std::vector<const Experiment*> experiments_named(const std::string& name) {
  std::vector<const Experiment*> found;
  for (const Experiment* experiment : experiments::all_experiments())
    if (name == all_of_them || name == experiment->name()) found.push_back(experiment);
  if (found.empty()) throw SettingsError("experiment " + text::not_known(name, experiment_names()));
  return found;
}

std::string claims_in_words(const Json& result) {
  std::string text = fmt::format("\n{}\n", result["title"].get<std::string>());
  for (const Json& claim : result["claims"])
    text +=
        fmt::format("  {:<17} {}\n{:20}{}\n", claim["verdict"].get<std::string>(),
                    claim["claim"].get<std::string>(), "", claim["measured"].get<std::string>());
  return text;
}

Json brief(const Json& result, const std::string& folder, bool drawn) {
  return {{"experiment", result["experiment"]},
          {"folder", folder},
          {"seconds", result["seconds"]},
          {"runs", result["runs"].size()},
          {"claims", result["claims"]},
          {"missing", result["missing"]},
          {"drawn", drawn}};
}

// What the Python scripts make of the results, which are complete without. Returns whether they
// did.
bool draw(const char* script, const std::filesystem::path& folder, const ExperimentFlags& flags) {
  if (flags.no_plots) return false;
  const std::string problem = experiments::draw(script, folder, flags.common);
  if (!problem.empty()) say(flags.common, fmt::format("{}: {}", script, problem));
  return problem.empty();
}

void run_experiments(const ExperimentFlags& flags) {
  const auto chosen = experiments_named(flags.name);
  const bool all = flags.name == all_of_them;
  const experiments::Options& options = flags.options;
  check_only(options);
  watch_for_interrupt();
  experiments::DataSets data(options);
  Json json{{"status", "completed"}, {"out", options.out}, {"experiments", Json::array()}};
  std::string text;
  for (const Experiment* experiment : chosen) {
    const Json result = run_experiment(*experiment, options, flags.common, data, all);
    const auto folder = std::filesystem::path(options.out) / experiment->name();
    const bool drawn = draw("plot.py", folder, flags);
    json["experiments"].push_back(brief(result, folder.string(), drawn));
    text += claims_in_words(result);
    text += fmt::format("  files: {0}/{1}.json, {0}/*.csv, {0}/pictures{2}\n", folder.string(),
                        experiment->name(), drawn ? ", " + (folder / "plots").string() : "");
  }
  if (all && draw("report.py", options.out, flags)) {
    json["report"] = options.out + "/report.html";
    text += fmt::format("\nreport: {}/report.html\n", options.out);
  }
  print_result(flags.common, json, flags.common.quiet ? "" : text.substr(1));
}

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const Experiment* experiment : experiments::all_experiments())
    names.emplace_back(experiment->name());
  names.emplace_back(all_of_them);
  return names;
}

void add_experiment(CLI::App& app) {
  const auto flags = std::make_shared<ExperimentFlags>();
  experiments::Options& options = flags->options;
  CLI::App* command =
      add_command(app, "experiment", "Repeat the study's experiments",
                  "tamis experiment convergence --scale 0.1 --data ~/data", flags->common);
  command
      ->add_option("NAME", flags->name,
                   fmt::format("Which one: {}", fmt::join(experiment_names(), ", ")))
      ->required();
  command->add_option("--data", options.data, "Folder of the data sets; see docs/experiments.md")
      ->type_name("DIR")
      ->group("Input");
  command->add_option("--scale", options.scale, "Share of the samples, up to 1: less is faster")
      ->type_name("s")
      ->check(a_number(false))
      ->capture_default_str()
      ->group("Input");
  command->add_option("--seed", options.seed, "Seed of data and initialisations")
      ->type_name("n")
      ->check(whole_number(0))
      ->capture_default_str()
      ->group("Input");
  command
      ->add_option("--runs", flags->runs,
                   "Initialisations [10 of denoising, 3 of its batch algorithms, 1 of others]")
      ->type_name("n")
      ->check(whole_number(1))
      ->group("Learning");
  command->add_option("--batch-runs", flags->batch_runs, "… of batch algorithms [as many]")
      ->type_name("n")
      ->check(whole_number(1))
      ->group("Learning");
  command->add_option("--only", options.only, "Algorithms to run, all if not given")
      ->type_name("LIST")
      ->delimiter(',')
      ->group("Learning");
  command->add_option("--threads", options.threads, "Threads; the study's times are of one")
      ->type_name("n")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group("Learning");
  command
      ->add_option("--out", options.out,
                   "Folder for the results; runs that are there already are not repeated")
      ->type_name("DIR")
      ->capture_default_str()
      ->group("Output");
  command->add_flag("--no-plots", flags->no_plots, "Leave out plots and report")->group("Output");
  command->callback([flags] {
    if (flags->options.scale > 1) throw SettingsError("--scale must be at most 1");
    if (flags->runs > 0) flags->options.runs = flags->runs;
    if (flags->batch_runs > 0) flags->options.batch_runs = flags->batch_runs;
    run_experiments(*flags);
  });
}

}  // namespace tamis
