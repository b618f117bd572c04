// The library's `bpgd` and `badmm` against a plain transcription of the study's supplement.
#include "reference/compare.hpp"

namespace tamis::textbook {
namespace {

constexpr double tolerance = 1e-10;

std::vector<Setup> common_setups() {
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

std::vector<Setup> bpgd_setups() {
  auto setups = common_setups();
  setups.push_back({.name = "Steps", .kappa_h = 0.31, .kappa_w = 0.93, .iterations = 20});
  return setups;
}

std::vector<Setup> badmm_setups() {
  auto setups = common_setups();
  setups.push_back(
      {.name = "Penalties", .M = 0.3, .rho1 = 0.4, .rho2 = 2.5, .rho3 = 0.9, .iterations = 20});
  return setups;
}

// ½‖V − WH − R‖² + φ(R) + ψ(H) divided by N, plus the penalty on W
double objective(const Setup& s, const Mat& V, const State& state) {
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

class BpgdAgainstTextbook : public ::testing::TestWithParam<Setup> {};
class BadmmAgainstTextbook : public ::testing::TestWithParam<Setup> {};

TEST_P(BpgdAgainstTextbook, SameDictionaryCodesAndObjective) {
  const Setup& setup = GetParam();
  const Mat V = reference_data();
  const State expected = bpgd(setup, V);
  const Bpgd algorithm{.kappa_h = setup.kappa_h,
                       .kappa_w = setup.kappa_w,
                       .stopping = {.tolerance = 0, .iterations = setup.iterations}};
  const LibraryFit fit = fit_with_library(setup.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
  EXPECT_NEAR(fit.result.info.objective, objective(setup, V, expected), 1e-9);
}

TEST_P(BadmmAgainstTextbook, SameDictionaryCodesAndObjective) {
  const Setup& setup = GetParam();
  const Mat V = reference_data();
  const State expected = badmm(setup, V);
  const Badmm algorithm{.rho1 = setup.rho1,
                        .rho2 = setup.rho2,
                        .rho3 = setup.rho3,
                        .stopping = {.tolerance = 0, .iterations = setup.iterations}};
  const LibraryFit fit = fit_with_library(setup.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  EXPECT_NEAR(fit.result.info.objective, objective(setup, V, expected), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Setups, BpgdAgainstTextbook, ::testing::ValuesIn(bpgd_setups()),
                         name_of_setup);
INSTANTIATE_TEST_SUITE_P(Setups, BadmmAgainstTextbook, ::testing::ValuesIn(badmm_setups()),
                         name_of_setup);

}  // namespace
}  // namespace tamis::textbook
