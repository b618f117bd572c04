// An experiment: which cases there are, what is measured in each, and what that says.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "experiments/cases.hpp"
#include "experiments/data_sets.hpp"
#include "experiments/runs.hpp"
#include "experiments/summary.hpp"

namespace tamis::experiments {

// What a run needs beside its case.
struct Workplace {
  const Options& options;
  const Common& common;
  DataSets& data;
  std::filesystem::path folder;  // OUT/NAME
  std::string title;             // for the progress bar
};

class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view title() const = 0;
  virtual Repetitions default_runs() const { return {1, 1}; }
  virtual std::vector<std::string> data_sets() const = 0;

  // Of data sets that are there only. Cases of the same samples come one after the other.
  virtual std::vector<Case> cases(const Options& options, const DataSets& data) const = 0;

  // Everything of the run's JSON that the case does not know yet: status, samples, seconds,
  // measures, curves, pictures.
  virtual Json run(const Case& chosen, const Workplace& place) const = 0;

  // Pictures of several runs may be made here, in the folder of the workplace.
  virtual void summarize(const Runs& runs, const Workplace& place, Summary& summary) const = 0;
};

// As many as the user says, or the experiment's own
inline Repetitions runs_of(const Experiment& experiment, const Options& options) {
  Repetitions found = experiment.default_runs();
  if (options.runs) found = {*options.runs, *options.runs};
  if (options.batch_runs) found.batch = *options.batch_runs;
  return found;
}

// In the order in which `all` runs them.
const std::vector<const Experiment*>& all_experiments();

}  // namespace tamis::experiments
