// Where samples come from, a block at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tamis/io/sample_format.hpp"
#include "tamis/io/share.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct SampleBlock {
  Matrix<T> V;  // F×n, one column per sample, NaN = missing
  // Set by who reads: samples that are stored as bytes may also come as they are, in `bytes`, V
  // being empty. A source need not care.
  bool accepts_bytes = false;
  Matrix<std::uint8_t> bytes;  // F×n, each standing for byte/unit
  double unit = 1;

  // Of each sample the largest entry, if all entries are known to be finite and not negative:
  // whoever has the samples at hand may look at them, so that others need not.
  Vector<T> largest;

  Index size() const { return bytes.size() > 0 ? bytes.cols() : V.cols(); }
  // From bytes to V
  void to_numbers();
  // Fills `largest` from V, or leaves it empty.
  void examine();
  // Empties V, or bytes: only one of them has samples.
  void keep_only(bool as_bytes) { as_bytes ? V.resize(0, 0) : bytes.resize(0, 0); }

  Vector<double> weights;  // n, or empty: all 1
  // n: which sample of the input (of its repetitions) each one is; empty: as they are counted
  std::vector<Index> order;
};

// One pass over the samples.
struct Pass {
  Index epoch = 0;
  Index position = 0;  // samples to skip, when a fit is resumed
  bool shuffle = false;
  std::uint64_t seed = 0;
  Share share = {};  // which of the samples to read, if not all
};

template <class T>
class Source {
 public:
  virtual ~Source() = default;

  virtual Index features() const = 0;
  // Samples of one pass, when known in advance; of all shares together.
  virtual std::optional<Index> samples() const = 0;
  // How they look outside; for the model to remember.
  virtual SampleFormat format() const { return {.shape = {features()}}; }

  // Goes to the beginning of a pass. The order of the samples depends on `pass` alone. Throws Error
  // if the source cannot do that, for instance a pipe asked for a second pass.
  virtual void start(const Pass& pass) = 0;

  // Whether start() heeds the share of a pass. Only such a source can be read by several ranks; it
  // should then read no more than it has to.
  virtual bool can_be_shared() const { return false; }

  // The next at most `most` samples; false at the end of the pass. `block` is reused, its memory
  // kept.
  virtual bool read(Index most, SampleBlock<T>& block) = 0;

  // A read may take as long as somebody else likes: of a pipe, of a camera.
  virtual bool may_wait() const { return true; }

  // From another thread, at any time but while a pass is started: an occasion to do some of the
  // work of reads to come. What goes wrong is for those reads to tell.
  virtual void read_ahead() noexcept {}

  // From another thread: nobody wants what is being read any more. A read that would wait for long
  // throws Interrupted instead.
  virtual void cancel() {}
};

}  // namespace tamis
