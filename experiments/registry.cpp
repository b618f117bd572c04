// One line per experiment; each is in a file of its own.
#include "experiments/experiment.hpp"

namespace tamis::experiments {

const Experiment& convergence();
const Experiment& sensitivity();
const Experiment& basis();
const Experiment& denoising();
const Experiment& shadow();
const Experiment& separation();

const std::vector<const Experiment*>& all_experiments() {
  static const std::vector<const Experiment*> all = {
      &convergence(),  //
      &sensitivity(),  //
      &basis(),        //
      &denoising(),    //
      &shadow(),       //
      &separation(),   //
  };
  return all;
}

}  // namespace tamis::experiments
