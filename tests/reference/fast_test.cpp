// The library's `fast` against a plain transcription that treats one sample at a time.
#include <cmath>

#include "reference/compare.hpp"

namespace tamis::textbook {
namespace {

// The sweeps divide by A_jj, which is small at first: a little more rounding than in the published
// algorithms.
constexpr double tolerance = 1e-9;

std::vector<Numbers> cases() {
  return {
      {.name = "RescaledSweeps", .M = infinity},
      {.name = "OneSampleAtATime", .M = infinity, .tau = 1},
      {.name = "OneSweep", .sweeps = 1},
      {.name = "ManyIterations", .M = 0.3, .iterations = 37},
      {.name = "OneIteration", .iterations = 1},
      {.name = "NonnegativeDictionary", .set = Set::nonneg},
      {.name = "ProjectedSweepsSimplex", .set = Set::simplex},
      {.name = "ProjectedSweepsLasso", .code_l1 = 0.1},
      {.name = "ProjectedSweepsTikhonov", .code_l2 = 0.2},
      {.name = "ProjectedSweepsDictionaryElasticNet", .dictionary_l1 = 0.01, .dictionary_l2 = 0.05},
      {.name = "TikhonovOutliers", .M = 0.5, .outlier_l2 = 0.4},
      {.name = "NonnegativeOutliers", .nonneg_outliers = true},
      {.name = "PolynomialForgetting", .fading = Fading::poly, .fading_parameter = 4},
      {.name = "FractionalForgetting", .tau = 3, .fading = Fading::poly, .fading_parameter = 1.5},
      {.name = "ZeroPowerForgetsNothing", .fading = Fading::poly, .fading_parameter = 0},
      {.name = "DecayForgetting", .fading = Fading::decay, .fading_parameter = 0.95},
      {.name = "ProjectedDecay",
       .code_l1 = 0.1,
       .epochs = 3,
       .fading = Fading::decay,
       .fading_parameter = 0.9},
      {.name = "UnitMaximum", .scale_to_unit_maximum = true},
      // With a tolerance samples stop by themselves, and each has its own ρ.
      {.name = "Tolerance", .iterations = 100, .encoder_tolerance = 1e-3},
      {.name = "ToleranceOfFewIterations", .iterations = 25, .encoder_tolerance = 1e-6},
      {.name = "ToleranceLasso", .code_l1 = 0.1, .iterations = 300, .encoder_tolerance = 1e-5},
      {.name = "TinyTolerance", .M = 0.3, .iterations = 450, .encoder_tolerance = 1e-9},
      {.name = "LargeRho", .iterations = 240, .encoder_tolerance = 1e-7, .rho = 5000},
      {.name = "SmallRho", .iterations = 240, .encoder_tolerance = 1e-7, .rho = 2e-6},
      {.name = "OtherSeedAndRank", .K = 7, .tau = 8, .seed = 987654321},
  };
}

class FastAgainstTextbook : public ::testing::TestWithParam<Numbers> {};

TEST_P(FastAgainstTextbook, SameDictionaryCodesAndStatistics) {
  const Numbers& numbers = GetParam();
  const Mat V = reference_data();
  const State expected = fast(numbers, V);
  const Fast algorithm{.iterations = numbers.iterations,
                       .tolerance = numbers.encoder_tolerance,
                       .sweeps = numbers.sweeps,
                       .rho = numbers.rho};
  const LibraryFit fit = fit_with_library(numbers.settings(algorithm), V);
  expect_same_fit(fit, expected, tolerance);
  expect_statistics(fit.result.model, expected, tolerance);
}

// Few iterations, so that it matters where the codes begin.
TEST(FastWithMissingEntries, IsThatOfTheTextbook) {
  Mat V = reference_data();
  for (Index j = 0; j < V.cols(); ++j)
    for (Index i = j % 4; i < V.rows(); i += 4 + j % 3) V(i, j) = std::nan("");
  for (const Index iterations : {1, 3, 60}) {
    SCOPED_TRACE(iterations);
    const Numbers numbers{.iterations = iterations, .encoder_tolerance = 1e-5};
    const Fast algorithm{.iterations = iterations, .tolerance = numbers.encoder_tolerance};
    Settings settings = numbers.settings(algorithm);
    settings.missing = true;
    const LibraryFit fit = fit_with_library(settings, V);
    const State expected = fast(numbers, V);
    expect_same_fit(fit, expected, tolerance);
    expect_statistics(fit.result.model, expected, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, FastAgainstTextbook, ::testing::ValuesIn(cases()), name_of_numbers);

}  // namespace
}  // namespace tamis::textbook
