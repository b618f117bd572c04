// How much of the cast shadows is gone, and what else has changed.
//
// The reference of an image lit from the side is the point of the nonnegative cone of the images
// lit from the front that is nearest to it, robustly (Huber): a face under any light without cast
// shadows is in that cone, nearly. Shadow pixels are those darker than half of the reference, all
// others are lit. A low rank alone makes the error on shadow pixels small, but changes the lit
// ones: both count.
#pragma once

#include <vector>

#include "common.hpp"
#include "experiments/data_sets.hpp"

namespace tamis::experiments {

class ShadowJudge {
 public:
  // Throws DataError if there are too few images from the front or from the side.
  ShadowJudge(const Images& images, const std::vector<Light>& lights);

  // X: a reconstruction of every image. shadow_error, lit_change, shadow_error_input in gray levels
  // of 255; artefacts: what a 3×3 median takes away from it, mean absolute, beyond what it takes
  // away from the image.
  Json measure(const Matrix<float>& X) const;

  const std::vector<Index>& judged() const { return judged_; }  // the images lit from the side

 private:
  const Images& images_;
  std::vector<Index> judged_;
  Matrix<float> reference_;  // F×n, of the judged images
};

// In degrees, between the light and the camera's axis
double angle_of(const Light& light);

}  // namespace tamis::experiments
