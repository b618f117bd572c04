// Runs the cases of an experiment, except those that were run before, and writes everything down.
#pragma once

#include "experiments/experiment.hpp"

namespace tamis::experiments {

// Writes OUT/NAME and returns what NAME.json has. Throws Interrupted, saying how to go on;
// DataError if none of its data is there, unless that may be (`or_nothing`): its claims are then
// not tested.
Json run_experiment(const Experiment& experiment, const Options& options, const Common& common,
                    DataSets& data, bool or_nothing = false);

}  // namespace tamis::experiments
