// All samples of a source as one block, read once: what batch algorithms need. The block that the
// first pass fills is the one that has them; it must be given again in the others.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tamis/error.hpp"
#include "tamis/io/source.hpp"

namespace tamis {

template <class T>
class WholeSource final : public Source<T> {
 public:
  explicit WholeSource(Source<T>& source) : format_(source.format()) {
    source.start({});
    SampleBlock<T> part;
    Index seen = 0;
    while (source.read(samples_per_read, part)) append(part, seen);
    if (seen == 0) throw DataError("the data have no samples");
    all_.V.conservativeResize(Eigen::NoChange, seen);
    all_.weights.conservativeResize(seen);
    features_ = all_.V.rows();
    samples_ = seen;
  }

  Index features() const override { return features_; }
  std::optional<Index> samples() const override { return samples_; }
  SampleFormat format() const override { return format_; }
  // The samples of a pass have no order here; a pass that was begun was also completed.
  void start(const Pass& pass) override { delivered_ = pass.position > 0; }
  bool read(Index /*most*/, SampleBlock<T>& block) override {
    if (delivered_) return false;
    if (all_.V.size() > 0) block = std::exchange(all_, {});
    delivered_ = true;
    return true;
  }

 private:
  static constexpr Index samples_per_read = 4096;

  void append(const SampleBlock<T>& part, Index& seen) {
    const Index n = part.V.cols();
    check(part, seen);
    if (seen + n > all_.V.cols()) {
      const Index room = std::max(seen + n, 2 * seen);
      all_.V.conservativeResize(part.V.rows(), room);
      all_.weights.conservativeResize(room);
    }
    all_.V.middleCols(seen, n) = part.V;
    if (part.weights.size() > 0) {
      all_.weights.segment(seen, n) = part.weights;
    } else {
      all_.weights.segment(seen, n).setOnes();
    }
    seen += n;
  }

  void check(const SampleBlock<T>& part, Index seen) const {
    if (seen > 0 && part.V.rows() != all_.V.rows()) {
      throw DataError(fmt::format("sample {} has {} features, those before it have {}", seen,
                                  part.V.rows(), all_.V.rows()));
    }
    if (part.weights.size() > 0 && part.weights.size() != part.V.cols()) {
      throw DataError(fmt::format("there are {} sample weights for {} samples", part.weights.size(),
                                  part.V.cols()));
    }
  }

  SampleFormat format_;
  Index features_ = 0;
  Index samples_ = 0;
  SampleBlock<T> all_;  // until it was given away
  bool delivered_ = false;
};

}  // namespace tamis
