// Ranks that learn from sums one mini-batch late, against a plain transcription that does the same.
#include "reference/compare.hpp"
#include "tamis/thread_group.hpp"

namespace tamis::textbook {
namespace {

constexpr double tolerance = 1e-9;

// P ranks with mini-batches of τ/P
LibraryFit fit_late(int P, Settings settings, const Mat& V) {
  settings.batch_size = *settings.batch_size / P;
  LibraryFit fit;
  test::Collector<double> sink;
  ThreadGroup::run(P, [&](Communicator& comm) {
    FitOptions<double> options;
    options.distribution.comm = &comm;
    options.distribution.async = true;
    if (comm.rank() == 0) options.sink = &sink;
    FitResult<double> result = Trainer<double>(settings).fit(V, options);
    if (comm.rank() == 0) fit.result = std::move(result);
  });
  fit.H = sink.H.rightCols(V.cols());
  fit.R = sink.R.rightCols(V.cols());
  return fit;
}

void expect_late_fit(const Numbers& numbers, const Algorithm& algorithm, const State& expected) {
  const Mat V = reference_data();
  for (const int P : {2, 3, 6}) {
    SCOPED_TRACE(::testing::Message() << P << " ranks");
    const LibraryFit fit = fit_late(P, numbers.settings(algorithm), V);
    expect_same_fit(fit, expected, tolerance);
    expect_statistics(fit.result.model, expected, tolerance);
    EXPECT_EQ(fit.result.model.samples, V.cols() * numbers.epochs);
    EXPECT_EQ(fit.result.info.batches, (V.cols() + numbers.tau - 1) / numbers.tau * numbers.epochs);
  }
}

class Late : public ::testing::TestWithParam<Numbers> {};

TEST_P(Late, Fast) {
  const Numbers& numbers = GetParam();
  expect_late_fit(numbers, Fast{.iterations = numbers.iterations, .sweeps = numbers.sweeps},
                  fast(numbers, reference_data()));
}

TEST_P(Late, Opgd) { expect_late_fit(GetParam(), Opgd{}, opgd(GetParam(), reference_data())); }

TEST_P(Late, Oadmm) { expect_late_fit(GetParam(), Oadmm{}, oadmm(GetParam(), reference_data())); }

INSTANTIATE_TEST_SUITE_P(
    Cases, Late,
    ::testing::Values(Numbers{.name = "Rescaled", .M = infinity, .tau = 6, .late = true},
                      Numbers{.name = "Simplex", .set = Set::simplex, .tau = 6, .late = true},
                      Numbers{.name = "Lasso", .code_l1 = 0.1, .tau = 6, .late = true},
                      Numbers{.name = "OnePassInOne", .tau = 24, .epochs = 3, .late = true},
                      Numbers{.name = "Halves", .tau = 12, .epochs = 3, .late = true},
                      Numbers{.name = "UnitMaximum",
                              .tau = 6,
                              .epochs = 3,
                              .late = true,
                              .scale_to_unit_maximum = true}),
    name_of_numbers);

TEST(LateSums, ForgettingCountsTheMiniBatchesThatWereLearnedFrom) {
  const Numbers numbers{.tau = 6, .late = true, .fading = Fading::poly, .fading_parameter = 4};
  expect_late_fit(numbers, Fast{.iterations = numbers.iterations}, fast(numbers, reference_data()));
}

TEST(LateSums, AreNotTheSameAsThoseInTime) {
  const Numbers numbers{.M = infinity, .tau = 6};
  const Mat V = reference_data();
  const LibraryFit fit = fit_late(2, numbers.settings(Fast{.iterations = numbers.iterations}), V);
  EXPECT_GT((fit.result.model.W - fast(numbers, V).W).norm(), 1e-3);
}

}  // namespace
}  // namespace tamis::textbook
