// Which samples of a pass a rank takes, when several ranks read the same source.
#pragma once

#include <algorithm>
#include <limits>

#include "tamis/types.hpp"

namespace tamis {

// Positions are counted from where the pass begins. Of every ranks·batch consecutive ones the
// rank-th `batch` are ours: together the mini-batches of all ranks are one of ranks·batch samples.
struct Share {
  Index rank = 0;
  Index ranks = 1;
  Index batch = 1;

  bool everything() const { return ranks == 1; }
  // How many of the first `end` positions are ours
  Index below(Index end) const {
    if (everything() || end <= 0) return std::max<Index>(end, 0);
    return end / group() * batch + std::clamp<Index>(end % group() - rank * batch, 0, batch);
  }
  // Where our i-th sample is
  Index position(Index i) const {
    return everything() ? i : i / batch * group() + rank * batch + i % batch;
  }
  // So many of ours follow each other, from the i-th on.
  Index run(Index i) const {
    return everything() ? std::numeric_limits<Index>::max() : batch - i % batch;
  }

 private:
  Index group() const { return ranks * batch; }
};

}  // namespace tamis
