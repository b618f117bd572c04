// Several ranks (processes or threads) that learn one model together. All they ever do with each
// other is to add up numbers; see docs/distributed.md.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// Numbers that are handed over to be added up
struct Addends {
  std::vector<double> values;
  std::vector<float> more;  // what need not be exact
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Each number becomes its sum over all ranks; every rank gets the same bits. All ranks call it
  // with the same sizes, in the same order. `more` is for what need not be exact.
  virtual void all_reduce(std::span<double> values, std::span<float> more) = 0;

  // The same in two steps, between which a rank can do other things, all_reduce included. One of
  // these at a time. Here it is all done in the first one; override both if there is a better way.
  virtual void start_all_reduce(Addends mine) {
    all_reduce(mine.values, mine.more);
    sums_ = std::move(mine);
  }
  virtual Addends finish_all_reduce() { return std::exchange(sums_, {}); }

 private:
  Addends sums_;
};

// A single process.
class SelfCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void all_reduce(std::span<double>, std::span<float>) override {}
};

// How a fit is shared. P ranks with mini-batches of τ learn what one process does with mini-batches
// of P·τ, up to rounding.
struct Distribution {
  Communicator* comm = nullptr;  // must outlive the fit; null: one process
  // Every rank has samples of its own, and its sink gets theirs. Otherwise all ranks have the same
  // source, of which each reads its share, and the sink of rank 0 gets everything.
  bool own_samples = false;
  // Sums over this many mini-batches are exchanged at once, as if τ were so many times larger.
  Index sync_every = 1;
  bool float_wire = false;  // ΔB, most of what is exchanged, in single precision
  // The sums of a mini-batch are exchanged while the next one is encoded, and so are learned from
  // one mini-batch late. For fit; one process alone and partial_fit exchange nothing meanwhile.
  bool async = false;
};

}  // namespace tamis
