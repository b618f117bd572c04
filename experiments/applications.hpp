// What the study's two applications without numbers, shadows and scenes, have in common: a table of
// times and measures per data set, and the claim about the times.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/runs.hpp"
#include "experiments/summary.hpp"

namespace tamis::experiments {

// A row per label: times beside the published ones, then the measures, which are the columns
// without their underscores. Means over the runs.
Table application_table(const Runs& runs, const std::string& experiment, const std::string& data,
                        const std::string& caption, const std::vector<std::string>& measures);

// Mean of a measure
double mean_of(const Runs& runs, const std::string& measure, const std::string& data,
               const std::string& label);

// online/orpca between these, online/other (batch, onmf) at most that
struct TimeRatios {
  double orpca_least, orpca_most, others_most;
};
void check_times(const Runs& runs, const std::vector<std::string>& sets, const TimeRatios& ratios,
                 Claim& claim);

}  // namespace tamis::experiments
