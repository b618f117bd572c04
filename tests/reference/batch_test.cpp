// The library's `bpgd` and `badmm` against a plain transcription of the study's supplement.
#include "reference/compare.hpp"

namespace tamis::textbook {
namespace {

constexpr double tolerance = 1e-10;

std::vector<Numbers> common_cases() {
  return {
      {.name = "Canonical", .iterations = 20},
      {.name = "OnePass", .iterations = 1},
      {.name = "TightBound", .M = 0.3, .iterations = 20},
      {.name = "NoBound", .M = infinity, .iterations = 20},
      {.name = "NonnegativeOutliers", .nonneg_outliers = true, .iterations = 20},
      {.name = "TikhonovOutliers", .M = 0.5, .outlier_l2 = 0.4, .iterations = 20},
      {.name = "LassoCodes", .code_l1 = 0.15, .iterations = 20},
      {.name = "TikhonovCodes", .code_l2 = 0.3, .iterations = 20},
      {.name = "DictionaryElasticNet",
       .dictionary_l1 = 0.01,
       .dictionary_l2 = 0.05,
       .iterations = 20},
      {.name = "Simplex", .set = Set::simplex, .iterations = 20},
      {.name = "UnitMaximum", .scale_to_unit_maximum = true, .iterations = 20},
      {.name = "Long", .K = 6, .iterations = 150, .seed = 99},
  };
}

std::vector<Numbers> bpgd_cases() {
  auto cases = common_cases();
  cases.push_back({.name = "Steps", .kappa_h = 0.31, .kappa_w = 0.93, .iterations = 20});
  return cases;
}

std::vector<Numbers> badmm_cases() {
  auto cases = common_cases();
  cases.push_back(
      {.name = "Penalties", .M = 0.3, .rho1 = 0.4, .rho2 = 2.5, .rho3 = 0.9, .iterations = 20});
  return cases;
}

// ½‖V − WH − R‖² + φ(R) + ψ(H) divided by N, plus the penalty on W
double objective(const Numbers& s, const Mat& V, const State& state) {
  double sum = 0;
  for (Index n = 0; n < V.cols(); ++n) {
    const double scale = sample_scale(s, V.col(n));
    const Vec v = V.col(n) / scale;
    const Vec h = state.H.col(n) / scale;
    const Vec r = state.R.col(n) / scale;
    sum += (v - state.W * h - r).squaredNorm() / 2 + outlier_penalty(s, r) + code_penalty(s, h);
  }
  return sum / double(V.cols()) + s.dictionary_l1 * state.W.sum() +
         s.dictionary_l2 / 2 * state.W.squaredNorm();
}

// The passes of a batch algorithm are its iterations.
Settings settings_for(const Numbers& numbers, const Algorithm& algorithm) {
  Settings settings = numbers.settings(algorithm);
  settings.epochs = 1;
  return settings;
}

class BpgdAgainstTextbook : public ::testing::TestWithParam<Numbers> {};
class BadmmAgainstTextbook : public ::testing::TestWithParam<Numbers> {};

TEST_P(BpgdAgainstTextbook, SameDictionaryCodesAndObjective) {
  const Numbers& numbers = GetParam();
  const Mat V = reference_data();
  const State expected = bpgd(numbers, V);
  const Bpgd algorithm{.kappa_h = numbers.kappa_h,
                       .kappa_w = numbers.kappa_w,
                       .stopping = {.tolerance = 0, .iterations = numbers.iterations}};
  const LibraryFit fit = fit_with_library(settings_for(numbers, algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
  EXPECT_NEAR(fit.result.info.objective, objective(numbers, V, expected), 1e-9);
}

TEST_P(BadmmAgainstTextbook, SameDictionaryCodesAndObjective) {
  const Numbers& numbers = GetParam();
  const Mat V = reference_data();
  const State expected = badmm(numbers, V);
  const Badmm algorithm{.rho1 = numbers.rho1,
                        .rho2 = numbers.rho2,
                        .rho3 = numbers.rho3,
                        .stopping = {.tolerance = 0, .iterations = numbers.iterations}};
  const LibraryFit fit = fit_with_library(settings_for(numbers, algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
  EXPECT_NEAR(fit.result.info.objective, objective(numbers, V, expected), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Cases, BpgdAgainstTextbook, ::testing::ValuesIn(bpgd_cases()),
                         name_of_numbers);
INSTANTIATE_TEST_SUITE_P(Cases, BadmmAgainstTextbook, ::testing::ValuesIn(badmm_cases()),
                         name_of_numbers);

}  // namespace
}  // namespace tamis::textbook
