#include "experiments/shadow_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "experiments/atom_measures.hpp"
#include "experiments/json_number.hpp"
#include "tamis/error.hpp"
#include "tamis/solvers.hpp"

namespace tamis::experiments {
namespace {

constexpr double frontal = 25;          // degrees, at most
constexpr double from_side_least = 35;  // degrees
constexpr double from_side_most = 85;
constexpr double huber = 0.05;  // of the maximum of an image; beyond, an error counts linearly
constexpr float half = 0.5F;    // of the reference: what is darker is shadow
constexpr double gray_levels = 255;

Matrix<float> columns(const Matrix<float>& X, const std::vector<Index>& which) {
  Matrix<float> chosen(X.rows(), Index(which.size()));
  for (Index j = 0; j < chosen.cols(); ++j) chosen.col(j) = X.col(which[std::size_t(j)]);
  return chosen;
}

double roughness_of(const ConstVectorRef<float>& x, const std::vector<Index>& shape) {
  return double((x - median3(x, shape)).cwiseAbs().mean());
}

}  // namespace

double angle_of(const Light& light) {
  constexpr double degree = std::numbers::pi / 180;
  return std::acos(std::clamp(std::cos(light.azimuth * degree) * std::cos(light.elevation * degree),
                              -1.0, 1.0)) /
         degree;
}

ShadowJudge::ShadowJudge(const Images& images, const std::vector<Light>& lights) : images_(images) {
  std::vector<Index> front;
  for (std::size_t i = 0; i < lights.size(); ++i) {
    const double angle = angle_of(lights[i]);
    if (angle <= frontal) front.push_back(Index(i));
    if (angle >= from_side_least && angle <= from_side_most) judged_.push_back(Index(i));
  }
  if (front.size() < 3 || judged_.empty())
    throw DataError(fmt::format(
        "{}: {} images are lit from the front and {} from the side: too few to judge shadows",
        images.path, front.size(), judged_.size()));
  Settings settings;
  settings.set("algorithm", "fast:iterations=2000,tolerance=1e-4");
  settings.max_outlier = std::numeric_limits<double>::infinity();
  const Matrix<float> cone = columns(images.V, front);
  reference_ = cone * solve_codes<float>(cone, columns(images.V, judged_), huber, settings).H;
}

Json ShadowJudge::measure(const Matrix<float>& X) const {
  double shadow = 0, before = 0, lit = 0, artefacts = 0;
  Index shadow_pixels = 0, lit_pixels = 0;
  for (Index j = 0; j < reference_.cols(); ++j) {
    const Index image = judged_[std::size_t(j)];
    const auto v = images_.V.col(image).array();
    const auto x = X.col(image).array();
    const auto reference = reference_.col(j).array();
    const Eigen::Array<float, Eigen::Dynamic, 1> in_shadow = (v < half * reference).cast<float>();
    shadow += double(((x - reference).abs() * in_shadow).sum());
    before += double(((v - reference).abs() * in_shadow).sum());
    lit += double(((x - v).abs() * (1 - in_shadow)).sum());
    const auto count = Index(in_shadow.sum());
    shadow_pixels += count;
    lit_pixels += v.size() - count;
    artefacts += roughness_of(X.col(image), images_.shape) -
                 roughness_of(images_.V.col(image), images_.shape);
  }
  const auto mean = [](double sum, Index n) {
    return number_or_null(n > 0 ? gray_levels * sum / double(n) : std::nan(""));
  };
  return {{"shadow_error", mean(shadow, shadow_pixels)},
          {"shadow_error_input", mean(before, shadow_pixels)},
          {"lit_change", mean(lit, lit_pixels)},
          {"artefacts", mean(artefacts, reference_.cols())}};
}

}  // namespace tamis::experiments
