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

// The loss and the residuals of sample j, whose H and Y are final, with its prediction p = Wh.
template <class T>
void record(const Problem<T>& problem, ConstVectorRef<T> p, Index j, Batch<T>& batch,
            VectorRef<T> scratch, ResidualHistogram& residuals) {
  const auto loss = problem.loss(batch.V.col(j), p, batch.Y.col(j), batch.H.col(j), scratch);
  batch.loss[j] = loss.total();
  batch.constant[j] = loss.energy + loss.penalty;
  if (batch.count_residuals && batch.weight[j] > 0) residuals.add<T>(batch.V.col(j), p);
}

}  // namespace tamis
