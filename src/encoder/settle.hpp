// The stopping rule of the published encoders (Zhao, Tan 2017, section VII-B2), sample by sample.
//
// Samples stop at different times. The running ones stay the first columns of every matrix, so that
// products remain dense: a sample that stops is overwritten by the last running one.
#pragma once

#include <cmath>
#include <vector>

#include "encoder/outcome.hpp"
#include "settled.hpp"
#include "tamis/algorithm/stopping.hpp"
#include "tamis/types.hpp"

namespace tamis {

// `block` has: step(running), one iteration of the first `running` columns; loss(j), ℓ̃ of column j;
// finish(j), store the result of column j; move(from, to), overwrite a column of the state.
template <class Block>
Outcome iterate_until_settled(const OnlineStopping& stopping, Index n, std::vector<double>& losses,
                              Block& block) {
  losses.resize(std::size_t(n));
  for (Index j = 0; j < n; ++j) losses[std::size_t(j)] = block.loss(j);

  Outcome outcome;
  for (Index running = n; running > 0;) {
    ++outcome.iterations;
    block.step(running);
    const bool last = outcome.iterations == stopping.iterations;
    for (Index j = running - 1; j >= 0; --j) {
      const double before = losses[std::size_t(j)];
      const double now = losses[std::size_t(j)] = block.loss(j);
      const bool is_settled = settled(now, before, stopping.tolerance);
      if (!is_settled && !last) continue;
      outcome.converged = outcome.converged && is_settled;
      block.finish(j);
      --running;
      block.move(running, j);
      losses[std::size_t(j)] = losses[std::size_t(running)];
    }
  }
  return outcome;
}

template <class... Matrices>
void move_columns(Index from, Index to, Matrices&... matrices) {
  if (from == to) return;
  ((matrices.col(to) = matrices.col(from)), ...);
}

}  // namespace tamis
