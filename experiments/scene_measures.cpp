#include "experiments/scene_measures.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/json_number.hpp"

namespace tamis::experiments {
namespace {

constexpr float still =
    10.F / 255;  // of the maximum: at most this far from the median, nothing moves
constexpr float moving = 40.F / 255;  // at least this far, something does
constexpr double gray_levels = 255;

}  // namespace

SceneJudge::SceneJudge(const Matrix<float>& frames) : frames_(frames), median_(frames.rows()) {
  std::vector<float> values(std::size_t(frames.cols()));
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  for (Index i = 0; i < frames.rows(); ++i) {
    for (Index j = 0; j < frames.cols(); ++j) values[std::size_t(j)] = frames(i, j);
    std::ranges::nth_element(values, middle);
    median_[i] = *middle;
  }
}

Json SceneJudge::measure(const Matrix<float>& background, const Matrix<float>& foreground) const {
  double brightness = 0, error = 0, residue = 0, kept = 0, moved = 0;
  Index still_pixels = 0;
  for (Index j = 0; j < frames_.cols(); ++j) {
    brightness += double(background.col(j).mean());
    error += double((background.col(j) - median_).cwiseAbs().mean());
    for (Index i = 0; i < frames_.rows(); ++i) {
      const float difference = frames_(i, j) - median_[i];
      if (std::abs(difference) <= still) {
        residue += double(std::abs(foreground(i, j)));
        ++still_pixels;
      } else if (std::abs(difference) >= moving) {
        // What points the other way is no part of it.
        kept += double(std::clamp(foreground(i, j) / difference, 0.F, 1.F) * std::abs(difference));
        moved += double(std::abs(difference));
      }
    }
  }
  const auto n = double(frames_.cols());
  return {{"background_brightness", number_or_null(brightness / n / double(median_.mean()))},
          {"background_error", number_or_null(gray_levels * error / n)},
          {"foreground_residue", number_or_null(gray_levels * residue / double(still_pixels))},
          {"foreground_kept", number_or_null(kept / moved)}};
}

}  // namespace tamis::experiments
