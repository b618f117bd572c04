// The library's `opgd` and `oadmm` against a plain transcription of the study.
#include "reference/compare.hpp"

namespace tamis::textbook {
namespace {

// Stopping rules make decisions; with the same decisions only rounding remains, far below this.
constexpr double tolerance = 1e-10;

std::vector<Numbers> common_cases() {
  return {
      {.name = "Canonical"},
      {.name = "OneSampleAtATime", .tau = 1},
      {.name = "WholeDataAtOnce", .tau = 23},
      {.name = "TightBound", .M = 0.3},
      {.name = "NoBound", .M = infinity},
      {.name = "SmallLambda", .lambda = 0.02},
      {.name = "NoOutliers", .lambda = 100},
      {.name = "NonnegativeOutliers", .nonneg_outliers = true},
      {.name = "NonnegativeTightOutliers", .M = 0.3, .nonneg_outliers = true},
      {.name = "TikhonovOutliers", .M = 0.5, .outlier_l2 = 0.4},
      {.name = "LassoCodes", .code_l1 = 0.15},
      {.name = "TikhonovCodes", .code_l2 = 0.3},
      {.name = "DictionaryElasticNet", .dictionary_l1 = 0.01, .dictionary_l2 = 0.05},
      {.name = "NonnegativeDictionaryElasticNet",
       .dictionary_l1 = 0.01,
       .dictionary_l2 = 0.05,
       .set = Set::nonneg},
      {.name = "NonnegativeDictionary", .set = Set::nonneg},
      {.name = "Simplex", .set = Set::simplex},
      {.name = "UnitMaximum", .scale_to_unit_maximum = true},
      {.name = "OtherSeedAndRank", .K = 7, .tau = 4, .seed = 12345678901234567ull},
      {.name = "Everything",
       .lambda = 0.1,
       .M = 0.4,
       .outlier_l2 = 0.2,
       .code_l1 = 0.05,
       .dictionary_l1 = 0.005,
       .dictionary_l2 = 0.02,
       .tau = 3,
       .epochs = 3,
       .scale_to_unit_maximum = true},
  };
}

std::vector<Numbers> opgd_cases() {
  auto cases = common_cases();
  cases.push_back({.name = "Steps", .kappa_h = 0.31, .kappa_w = 0.93});
  cases.push_back({.name = "FullSteps", .kappa_h = 1, .kappa_w = 1, .tau = 1});
  return cases;
}

std::vector<Numbers> oadmm_cases() {
  auto cases = common_cases();
  cases.push_back({.name = "Penalties", .M = 0.3, .rho1 = 0.4, .rho2 = 2.5, .rho3 = 0.9});
  cases.push_back({.name = "PenaltiesLasso", .code_l1 = 0.1, .rho1 = 3, .rho2 = 0.2, .rho3 = 0.05});
  return cases;
}

class OpgdAgainstTextbook : public ::testing::TestWithParam<Numbers> {};
class OadmmAgainstTextbook : public ::testing::TestWithParam<Numbers> {};

TEST_P(OpgdAgainstTextbook, SameDictionaryCodesAndStatistics) {
  const Numbers& numbers = GetParam();
  const Mat V = reference_data();
  const State expected = opgd(numbers, V);
  const Opgd algorithm{.kappa_h = numbers.kappa_h, .kappa_w = numbers.kappa_w};
  const LibraryFit fit = fit_with_library(numbers.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
}

TEST_P(OadmmAgainstTextbook, SameDictionaryCodesAndStatistics) {
  const Numbers& numbers = GetParam();
  const Mat V = reference_data();
  const State expected = oadmm(numbers, V);
  const Oadmm algorithm{.rho1 = numbers.rho1, .rho2 = numbers.rho2, .rho3 = numbers.rho3};
  const LibraryFit fit = fit_with_library(numbers.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Cases, OpgdAgainstTextbook, ::testing::ValuesIn(opgd_cases()),
                         name_of_numbers);
INSTANTIATE_TEST_SUITE_P(Cases, OadmmAgainstTextbook, ::testing::ValuesIn(oadmm_cases()),
                         name_of_numbers);

// λ = `paper` is 1/√F, M defaults to 1 and samples are scaled to unit maximum: the study's
// canonical setting.
TEST(PublishedDefaults, AreTheCanonicalSetting) {
  const Mat V = reference_data();
  const Numbers numbers{.K = 4,
                        .lambda = 1 / std::sqrt(double(V.rows())),
                        .M = 1,
                        .tau = 1,  // max(1, round(5·10⁻⁵N))
                        .epochs = 1,
                        .scale_to_unit_maximum = true,
                        .seed = 5};
  Settings settings;
  settings.rank = 4;
  settings.seed = 5;
  settings.algorithm = Oadmm{};
  expect_same_fit(fit_with_library(settings, V), oadmm(numbers, V), tolerance);
  settings.algorithm = Opgd{};
  expect_same_fit(fit_with_library(settings, V), opgd(numbers, V), tolerance);
}

}  // namespace
}  // namespace tamis::textbook
