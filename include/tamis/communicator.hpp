// The only communication of a distributed fit: sums over all ranks, once per mini-batch.
#pragma once

#include <span>

namespace tamis {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // values[i] ← sum over ranks of values[i]; every rank gets the same bits.
  virtual void all_reduce(std::span<double> values) = 0;
};

// A single process.
class SelfCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void all_reduce(std::span<double>) override {}
};

}  // namespace tamis
