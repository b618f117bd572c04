// What an encoder says about a block of samples besides the codes.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "parallel.hpp"
#include "problem.hpp"

namespace tamis {

struct Outcome {
  Index iterations = 0;
  bool converged = true;

  void merge(const Outcome& other) {
    iterations = std::max(iterations, other.iterations);
    converged = converged && other.converged;
  }
};

// The losses of columns [begin, end) of a batch whose H, P and Y are final.
template <class T>
void record_losses(const Problem<T>& problem, Batch<T>& batch, Index begin, Index end,
                   VectorRef<T> scratch) {
  for (Index j = begin; j < end; ++j) {
    const auto loss =
        problem.loss(batch.V.col(j), batch.P.col(j), batch.Y.col(j), batch.H.col(j), scratch);
    batch.loss[j] = loss.total();
    batch.constant[j] = loss.energy + loss.penalty;
  }
}

}  // namespace tamis
