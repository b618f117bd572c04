// Where codes and outliers go, a mini-batch at a time. They are those found on arrival: for the
// dictionary as it was before this mini-batch changed (and, in `fast`, rescaled) it. For codes of
// the final dictionary use Model::encode.
#pragma once

#include <span>
#include <string>

#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct EncodedBlock {
  Index epoch;
  Index first;  // number of the first sample within the epoch
  std::span<const Index>
      order;                // n: which sample of the input each one is; empty: first, first+1, …
  ConstMatrixRef<T> codes;  // K×n, in input units: V ≈ W·codes + outliers
  ConstMatrixRef<T> outliers;  // F×n; 0 where an entry is missing
};

template <class T>
class Sink {
 public:
  virtual ~Sink() = default;
  // Is anything of this pass to be written? What nobody wants need not be prepared.
  virtual bool wants(Index /*epoch*/) const { return true; }
  virtual void write(const EncodedBlock<T>& block) = 0;

  // When a checkpoint is written: what was written so far is safe, and resume(), later and perhaps
  // in another process, needs this text to go on from here.
  virtual std::string state() { return {}; }
  virtual void resume(const std::string& /*state*/) {}
};

}  // namespace tamis
