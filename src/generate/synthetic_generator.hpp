// The study's synthetic set as a stream: O(FK) memory however many samples there are.
#pragma once

#include "generate/contamination.hpp"
#include "tamis/generate/generator.hpp"

namespace tamis {

template <class T>
class SyntheticGenerator final : public Generator<T> {
 public:
  explicit SyntheticGenerator(const SyntheticOptions& options);

  const SampleFormat& format() const override { return format_; }
  Index samples() const override { return options_.N; }
  Index rank() const override { return options_.K; }
  Matrix<T> dictionary() const override { return W_; }
  void make(Index first, Index n, Generated<T>& out) override;

 private:
  SyntheticOptions options_;
  SampleFormat format_;
  Contamination contamination_;
  Matrix<T> W_;
};

}  // namespace tamis
