// One line per experiment; each is in a file of its own.
#include "experiments/experiment.hpp"

namespace tamis::experiments {

const Experiment& convergence();
const Experiment& denoising();

const std::vector<const Experiment*>& all_experiments() {
  static const std::vector<const Experiment*> all = {
      &convergence(),  //
      &denoising(),    //
  };
  return all;
}

}  // namespace tamis::experiments
