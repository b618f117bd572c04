// How much of the cast shadows is gone, and what else has changed?
//
// The reference of an image lit from the side is the point of the nonnegative cone of the images
// lit from the front that is nearest to it, robustly (Huber): an object under any light without
// cast shadows is in that cone, nearly. Shadow pixels are those darker than half of the reference,
// all others are lit. A low rank alone makes the error on shadow pixels small, but changes the lit
// ones: both count.
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// The direction of the light, in degrees; 0, 0 is frontal.
struct Light {
  double azimuth;
  double elevation;
};

// In degrees, between the light and the camera's axis
double angle_of(const Light& light);

// In gray levels of 255; NaN if there is no such pixel.
struct ShadowScore {
  double shadow_error = 0;        // mean absolute difference from the reference, on shadow pixels
  double shadow_error_input = 0;  // the same of the images as they were
  double lit_change = 0;          // mean absolute difference from the image, on lit pixels
  double artefacts = 0;  // what a 3×3 median takes away from a result beyond what it takes away
                         // from the image, mean absolute
};

class ShadowJudge {
 public:
  // V: the images of shape {height, width}, each scaled to unit maximum; it must outlive the judge.
  // Throws DataError if there are too few images from the front or from the side.
  ShadowJudge(const Matrix<float>& V, std::vector<Index> shape, const std::vector<Light>& lights);

  // X: a result for every image, in the same scale
  ShadowScore measure(const Matrix<float>& X) const;

  const std::vector<Index>& judged() const { return judged_; }  // the images lit from the side

 private:
  const Matrix<float>& V_;
  std::vector<Index> shape_;
  std::vector<Index> judged_;
  Matrix<float> reference_;  // F×n, of the judged images
};

}  // namespace tamis
