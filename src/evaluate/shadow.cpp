#include "tamis/evaluate/shadow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "evaluate/median.hpp"
#include "tamis/error.hpp"
#include "tamis/solvers.hpp"

namespace tamis {
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

ShadowJudge::ShadowJudge(const Matrix<float>& V, std::vector<Index> shape,
                         const std::vector<Light>& lights)
    : V_(V), shape_(std::move(shape)) {
  if (Index(lights.size()) != V.cols() || shape_.size() != 2 || shape_[0] * shape_[1] != V.rows())
    throw DataError(
        fmt::format("shadows need gray images and a light for each: there are {} lights and {} "
                    "images of {} pixels",
                    lights.size(), V.cols(), V.rows()));
  std::vector<Index> front;
  for (std::size_t i = 0; i < lights.size(); ++i) {
    const double angle = angle_of(lights[i]);
    if (angle <= frontal) front.push_back(Index(i));
    if (angle >= from_side_least && angle <= from_side_most) judged_.push_back(Index(i));
  }
  if (front.size() < 3 || judged_.empty())
    throw DataError(
        fmt::format("{} images are lit from the front (up to {} degrees) and {} from the side ({} "
                    "to {}): too few to judge shadows",
                    front.size(), frontal, judged_.size(), from_side_least, from_side_most));
  Settings settings;
  settings.set("algorithm", "fast:iterations=2000,tolerance=1e-4");
  settings.max_outlier = std::numeric_limits<double>::infinity();
  const Matrix<float> cone = columns(V, front);
  reference_ = cone * solve_codes<float>(cone, columns(V, judged_), huber, settings).H;
}

ShadowScore ShadowJudge::measure(const Matrix<float>& X) const {
  double shadow = 0, before = 0, lit = 0, artefacts = 0;
  Index shadow_pixels = 0, lit_pixels = 0;
  for (Index j = 0; j < reference_.cols(); ++j) {
    const Index image = judged_[std::size_t(j)];
    const auto v = V_.col(image).array();
    const auto x = X.col(image).array();
    const auto reference = reference_.col(j).array();
    const Eigen::Array<float, Eigen::Dynamic, 1> in_shadow = (v < half * reference).cast<float>();
    shadow += double(((x - reference).abs() * in_shadow).sum());
    before += double(((v - reference).abs() * in_shadow).sum());
    lit += double(((x - v).abs() * (1 - in_shadow)).sum());
    const auto count = Index(in_shadow.sum());
    shadow_pixels += count;
    lit_pixels += v.size() - count;
    artefacts += roughness_of(X.col(image), shape_) - roughness_of(V_.col(image), shape_);
  }
  const auto mean = [](double sum, Index n) {
    return n > 0 ? gray_levels * sum / double(n) : std::nan("");
  };
  return {mean(shadow, shadow_pixels), mean(before, shadow_pixels), mean(lit, lit_pixels),
          mean(artefacts, reference_.cols())};
}

}  // namespace tamis
