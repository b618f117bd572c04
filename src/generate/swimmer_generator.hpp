// The Swimmer figures as a stream: copies of all of them in random order, contaminated.
#pragma once

#include "generate/contamination.hpp"
#include "random/permutation.hpp"
#include "tamis/generate/generator.hpp"

namespace tamis {

template <class T>
class SwimmerGenerator final : public Generator<T> {
 public:
  explicit SwimmerGenerator(const SwimmerOptions& options);

  const SampleFormat& format() const override { return format_; }
  Index samples() const override { return samples_; }
  // The limbs. The torso is in every figure and in none of them: V° = torso + W°H°.
  Index rank() const override { return figures_.limbs.cols(); }
  Matrix<T> dictionary() const override { return figures_.limbs; }
  void make(Index first, Index n, Generated<T>& out) override;

 private:
  SwimmerOptions options_;
  Swimmer<T> figures_;
  Index samples_;
  SampleFormat format_;
  Permutation order_;
  Contamination contamination_;
};

}  // namespace tamis
