// The library's `orpca` and `onmf` against plain transcriptions of their papers.
#include "reference/compare.hpp"

namespace tamis::textbook {
namespace {

// Stopping rules make decisions; with the same decisions only rounding remains, far below this.
constexpr double tolerance = 1e-10;

std::vector<Numbers> orpca_cases() {
  return {
      {.name = "Plain", .M = infinity, .set = Set::none},
      {.name = "OneSampleAtATime", .M = infinity, .set = Set::none, .tau = 1},
      {.name = "WholeDataAtOnce", .M = infinity, .set = Set::none, .tau = 23},
      {.name = "Bounded", .M = 0.3, .set = Set::none},
      {.name = "SmallLambda", .lambda = 0.02, .M = infinity, .set = Set::none},
      {.name = "NoOutliers", .lambda = 100, .M = infinity, .set = Set::none},
      {.name = "NonnegativeOutliers", .M = infinity, .nonneg_outliers = true, .set = Set::none},
      {.name = "TikhonovOutliers", .M = infinity, .outlier_l2 = 0.4, .set = Set::none},
      {.name = "LargeRidge", .M = infinity, .set = Set::none, .lambda1 = 2},
      {.name = "SmallRidge", .M = infinity, .set = Set::none, .lambda1 = 1e-3},
      {.name = "UnitColumns", .M = infinity, .set = Set::none, .unit_columns = true},
      {.name = "UnitMaximum", .M = infinity, .set = Set::none, .scale_to_unit_maximum = true},
      {.name = "OtherSeedAndRank",
       .K = 7,
       .M = infinity,
       .set = Set::none,
       .tau = 4,
       .epochs = 3,
       .seed = 12345678901234567ull},
  };
}

std::vector<Numbers> onmf_cases() {
  return {
      {.name = "Plain", .set = Set::simplex},
      {.name = "OneSampleAtATime", .set = Set::simplex, .tau = 1},
      {.name = "WholeDataAtOnce", .set = Set::simplex, .tau = 23},
      {.name = "SmallBuffer", .set = Set::simplex, .buffer = 7},
      {.name = "BatchFillsTheBuffer", .set = Set::simplex, .tau = 6, .buffer = 6},
      {.name = "OneStep", .set = Set::simplex, .steps = 1},
      {.name = "LongSteps", .set = Set::simplex, .steps = 50, .theta = 0.2},
      {.name = "UnitMaximum", .set = Set::simplex, .scale_to_unit_maximum = true},
      {.name = "OtherSeedAndRank", .K = 6, .set = Set::simplex, .tau = 4, .epochs = 3, .seed = 99},
  };
}

class OrpcaAgainstTextbook : public ::testing::TestWithParam<Numbers> {};
class OnmfAgainstTextbook : public ::testing::TestWithParam<Numbers> {};

TEST_P(OrpcaAgainstTextbook, SameDictionaryCodesAndStatistics) {
  const Numbers& numbers = GetParam();
  const Mat V = reference_data();
  const State expected = orpca(numbers, V);
  const Orpca algorithm{.lambda1 = numbers.lambda1 * std::sqrt(double(V.rows())),
                        .unit_columns = numbers.unit_columns};
  const LibraryFit fit = fit_with_library(numbers.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
}

TEST_P(OnmfAgainstTextbook, SameDictionaryCodesAndStatistics) {
  Numbers numbers = GetParam();
  numbers.lambda = infinity;
  const Mat V = reference_data();
  const State expected = onmf(numbers, V);
  const Onmf algorithm{
      .buffer = numbers.buffer, .steps = numbers.steps, .theta = numbers.theta, .tolerance = 1e-13};
  const LibraryFit fit = fit_with_library(numbers.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Cases, OrpcaAgainstTextbook, ::testing::ValuesIn(orpca_cases()),
                         name_of_numbers);
INSTANTIATE_TEST_SUITE_P(Cases, OnmfAgainstTextbook, ::testing::ValuesIn(onmf_cases()),
                         name_of_numbers);

// What nobody has to write: λ₁ = λ = 1/√F, unbounded outliers and atoms; simplex atoms, no
// outliers; samples scaled to unit maximum, τ by the rule.
TEST(BaselineDefaults, AreThoseOfTheComparison) {
  const Mat V = reference_data();
  const double by_size = 1 / std::sqrt(double(V.rows()));
  Numbers numbers{.K = 4,
                  .lambda = by_size,
                  .M = infinity,
                  .set = Set::none,
                  .tau = 1,
                  .epochs = 1,
                  .scale_to_unit_maximum = true,
                  .lambda1 = by_size,
                  .seed = 5};
  Settings settings;
  settings.rank = 4;
  settings.seed = 5;
  settings.algorithm = Orpca{};
  expect_same_fit(fit_with_library(settings, V), orpca(numbers, V), tolerance);
  numbers.set = Set::simplex;
  settings.algorithm = Onmf{};
  // The codes are accurate to 1e-6, and so is what follows from them.
  expect_same_fit(fit_with_library(settings, V), onmf(numbers, V), 1e-5);
}

}  // namespace
}  // namespace tamis::textbook
