// Frames of a street, with the background, what is in front of it, and where.
#pragma once

#include "tamis/generate/generator.hpp"
#include "tamis/generate/scene.hpp"

namespace tamis {

template <class T>
class VideoGenerator final : public Generator<T> {
 public:
  explicit VideoGenerator(const VideoOptions& options);

  const SampleFormat& format() const override { return format_; }
  Index samples() const override { return street_.options().frames; }
  bool has_mask() const override { return true; }
  // Outliers are V − V° where an object is, with its noise.
  void make(Index first, Index n, Generated<T>& out) override;

 private:
  Street street_;
  SampleFormat format_;
};

}  // namespace tamis
