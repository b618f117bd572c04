// The library never prints: whoever wants to know how a fit proceeds gives it an observer.
#pragma once

#include <optional>

#include "tamis/types.hpp"

namespace tamis {

struct Progress {
  Index samples;               // of this fit
  std::optional<Index> total;  // samples there will be, when known
  Index batches;
  Index epoch;
  double loss;       // mean loss of the samples of this mini-batch
  double objective;  // f̃(W), as of the latest point of the trace
  double lambda;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // After every mini-batch. Return false to stop the fit; the model is then complete up to here.
  virtual bool on_batch(const Progress& progress) = 0;
};

}  // namespace tamis
