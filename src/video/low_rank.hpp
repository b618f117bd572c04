// The background of a fixed camera: W learned by `fast` from the frames as they come.
//
// A frame's codes are found from at most `most_entries` of its entries, on a grid: they are K
// numbers, and a few ten thousand equations determine them as well as a few million. Learning then
// has the codes already, so it is only accumulate → absorb → update, as in the trainer's loop.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/fast.hpp"
#include "batch.hpp"
#include "parallel.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"
#include "tamis/video/scene_settings.hpp"
#include "video/warm_up.hpp"

namespace tamis {

class LowRank {
 public:
  LowRank(const SceneSettings& settings, const Executor& executor);

  // Begins anew: W₀ from the first frames, of `width` pixels
  void start(std::span<const Frame> frames, const WarmUp& warm);

  // The codes of a frame, which also moves σ̂ and λ
  void encode(const Frame& frame);
  // Of the frame encoded last, times 255: W·codes is in gray levels, also after learning.
  const Vector<float>& codes() const { return codes_; }
  const Matrix<float>& W() const { return model_.W; }
  double sigma() const { return sigma_; }    // of the residuals, in gray levels
  double lambda() const { return lambda_; }  // in gray levels

  // Where to put v − r of the frame encoded last, in units of 1/255, to learn from it
  float* next_sample();
  // Enough samples for a mini-batch?
  bool ready() const { return queued_ == batch_.Y.cols(); }
  void learn();

  // The background of these entries was mistaken: it is `values`, in gray levels, under the light
  // of the latest frame.
  void correct(const std::vector<Index>& entries, const std::vector<float>& values);

 private:
  static constexpr Index most_entries = 40000;

  double residual_scale(FastAlgorithm<float>& algorithm, double lambda);
  void gather_dictionary();
  void gather_frame(const Frame& frame);

  SceneSettings settings_;
  const Executor& executor_;
  Model<float> model_;
  FastAlgorithm<float> algorithm_;
  Increment<float> increment_;
  Batch<float> batch_;  // to learn from
  Index queued_ = 0;

  Index step_ = 1;             // of the grid of entries
  Matrix<float> W_grid_;       // rows of W on the grid
  Matrix<std::uint8_t> grid_;  // entries of the frame there
  Batch<float> frame_;
  Vector<float> codes_;
  double sigma_ = 0, lambda_ = 0;
};

}  // namespace tamis
