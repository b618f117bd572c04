// Images in memory: made fewer, smaller, brighter, and read as if from a file.
#pragma once

#include <opencv2/core.hpp>

#include "experiments/data_sets.hpp"
#include "tamis/io/reader.hpp"

namespace tamis::experiments {

// n of them, evenly spaced
void keep_evenly(Images& images, Index n);
// By averaging, until an image has at most so many pixels
void shrink(Images& images, Index most_pixels);
void scale_to_unit_maximum(Matrix<float>& V);

// The same memory as the libraries of pictures see it
inline cv::Mat as_picture(float* pixels, const std::vector<Index>& shape) {
  return {static_cast<int>(shape[0]), static_cast<int>(shape[1]), CV_32F, pixels};
}

class ImageMemory final : public Reader<float> {
 public:
  explicit ImageMemory(const Images& images) : images_(images), format_{.shape = images.shape} {}

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return images_.V.cols(); }
  Access access() const override { return Access::random; }
  void seek(Index sample) override { next_ = sample; }
  Index read(MatrixRef<float> V) override;

 private:
  const Images& images_;
  SampleFormat format_;
  Index next_ = 0;
};

}  // namespace tamis::experiments
