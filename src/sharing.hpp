// Do two threads do a loop faster than one, when it takes only microseconds? That depends on how
// long their cores need to hand each other what they wrote: a fraction of such a loop, or more than
// all of it, and in a virtual machine now this and then that. So it is tried from time to time, and
// the faster way is kept. Who does what never changes a result.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

namespace tamis {

class Sharing {
 public:
  bool pays() const { return phase_ < 2 * trial ? phase_ >= trial : pays_; }

  // Seconds of the latest mini-batch, of which such loops are a part
  void took(double seconds) {
    // The first of a trial still has to fetch what another core has.
    if (phase_ < 2 * trial && phase_ % trial > 0) {
      double& least = least_[std::size_t(phase_ / trial)];
      least = std::min(least, seconds);
    }
    if (++phase_ == 2 * trial) pays_ = least_[shared] < least_[alone];
    if (phase_ < 2 * trial + between) return;
    phase_ = 0;
    least_.fill(never);
  }

  static constexpr int trial = 8;      // mini-batches, first alone, then shared
  static constexpr int between = 500;  // … from one pair of trials to the next

 private:
  enum { alone, shared };
  static constexpr double never = std::numeric_limits<double>::infinity();
  int phase_ = 0;
  bool pays_ = false;
  std::array<double, 2> least_{never, never};
};

}  // namespace tamis
