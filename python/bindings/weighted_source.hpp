// A source whose samples have weights.
#pragma once

#include <fmt/format.h>

#include "tamis/error.hpp"
#include "tamis/io/source.hpp"

namespace tamis::python {

template <class T>
class WeightedSource final : public Source<T> {
 public:
  // One weight for every sample of the input; none: all are 1.
  WeightedSource(Source<T>& source, Vector<double> weights)
      : source_(source), weights_(std::move(weights)) {
    if (weights_.size() > 0 && weights_.size() != source.samples())
      throw DataError(fmt::format("there are {} sample weights for {} samples", weights_.size(),
                                  source.samples().value_or(0)));
  }

  Index features() const override { return source_.features(); }
  std::optional<Index> samples() const override { return source_.samples(); }
  SampleFormat format() const override { return source_.format(); }
  void start(const Pass& pass) override {
    source_.start(pass);
    next_ = pass.position;
  }
  bool read(Index most, SampleBlock<T>& block) override {
    if (!source_.read(most, block)) return false;
    if (weights_.size() == 0) return true;
    block.weights.resize(block.size());
    for (Index j = 0; j < block.size(); ++j)
      block.weights[j] = weights_[block.order.empty() ? next_ + j : block.order[std::size_t(j)]];
    next_ += block.size();
    return true;
  }
  void read_ahead() noexcept override { source_.read_ahead(); }
  void cancel() override { source_.cancel(); }

 private:
  Source<T>& source_;
  Vector<double> weights_;
  Index next_ = 0;
};

}  // namespace tamis::python
