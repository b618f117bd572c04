// What every run has in common: the fit, and its JSON.
#pragma once

#include "experiments/experiment.hpp"
#include "experiments/fitting.hpp"

namespace tamis::experiments {

struct BasicRun {
  const Samples& samples;
  Fitted fitted;
  Json json;  // status, samples, features, passes, seconds, settings, measures, curves, pictures
};

// Fits the case; measures: objective and, where the curves are kept, how they settle.
BasicRun fit_case(const Case& chosen, const Workplace& place, const FitRequest& request = {},
                  bool keep_curves = true);

}  // namespace tamis::experiments
