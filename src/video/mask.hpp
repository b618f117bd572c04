// From evidence, pixel by pixel, to a mask.
//
//   evidence   |v − Wh| / (threshold + noise_factor·σ_p), at most 2
//   averaged   over a small window: noise is alone, what moves is not
//   shadows    darker, but with the texture (or the colour) of the background: no evidence
//   candidate  averaged evidence, and some of the pixel's own, so that edges stay where they are
//   cleanup    gaps closed; blobs dropped that are small or nowhere strong; small holes filled
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "parallel.hpp"
#include "tamis/video/frame.hpp"
#include "tamis/video/scene_settings.hpp"
#include "video/regions.hpp"

namespace tamis {

// The constants of the settings for frames of one size.
struct MaskSizes {
  int smooth, closing;                       // odd widths
  double strong_area, blob_area, hole_area;  // pixels
  int texture_step;                          // between the pixels whose texture is compared

  MaskSizes(const SceneSettings& settings, const FrameShape& shape);
};

class MaskMaker {
 public:
  MaskMaker(const SceneSettings& settings, const Executor& executor);

  void start(const FrameShape& shape);

  // The evidence of each pixel in bytes (pixels::evidence_unit), to be filled in before make()
  std::uint8_t* evidence() const { return own_.data; }
  // change: the noise of each entry, see pixels::State
  void make(const Frame& frame, const Frame& background, const float* change, Frame& mask);

  // The cleanup alone, of a mask whose strong pixels are where `strong` is 255
  void clean_up(Frame& mask, const cv::Mat& strong);

 private:
  // Rows that are worked on together
  struct Band {
    bool wanted = false;  // there is something to do
    bool candidates = false;
    bool shadows = false;
  };
  template <class Work>
  void for_wanted_bands(const Work& work);

  void average();
  void mark_candidates(std::uint8_t* mask);
  bool remove_shadows(const Frame& frame, const Frame& background, const float* change,
                      const std::uint8_t* mask);
  void close_gaps(Frame& mask);
  void drop_blobs(Frame& mask, const cv::Mat& strong);
  void fill_holes(Frame& mask);

  SceneSettings settings_;
  const Executor& executor_;
  FrameShape shape_;
  MaskSizes sizes_;
  cv::Mat own_, half_, averaged_, strong_;  // height × width bytes
  cv::Mat padded_, spread_;
  std::vector<Band> bands_;
  Regions regions_;
};

}  // namespace tamis
