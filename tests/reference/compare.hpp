// A fit by the library beside the same fit by the textbook.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reference/textbook.hpp"
#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::textbook {

// Odd sizes: the last mini-batch of an epoch is ragged for τ = 5. Outliers reach beyond M = 1, so
// that the bound acts.
inline Mat reference_data() {
  return test::make_scene({.features = 13,
                           .rank = 4,
                           .samples = 23,
                           .noise = 0.05,
                           .outlier_share = 0.15,
                           .outlier_size = 2,
                           .seed = 3})
      .V;
}

struct LibraryFit {
  FitResult<double> result;
  Mat H, R;  // of the last pass, from the sink
};

inline LibraryFit fit_with_library(const Settings& settings, const Mat& V) {
  Trainer<double> trainer(settings);
  test::Collector<double> sink;
  FitOptions<double> options;
  options.sink = &sink;
  LibraryFit fit;
  fit.result = trainer.fit(V, options);
  fit.H = sink.H.rightCols(V.cols());
  fit.R = sink.R.rightCols(V.cols());
  return fit;
}

inline void expect_close(const Mat& x, const Mat& expected, double scale, double tolerance,
                         const std::string& what) {
  ASSERT_EQ(x.rows(), expected.rows()) << what;
  ASSERT_EQ(x.cols(), expected.cols()) << what;
  EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), tolerance * scale) << what;
}

inline void expect_statistics(const Model<double>& model, const State& expected, double tolerance) {
  expect_close(model.A, expected.A, expected.A.cwiseAbs().maxCoeff(), tolerance, "A");
  expect_close(model.B, expected.B, expected.B.cwiseAbs().maxCoeff(), tolerance, "B");
  EXPECT_NEAR(model.c, expected.c, tolerance * expected.c);
}

inline void expect_same_fit(const LibraryFit& fit, const State& expected, double tolerance) {
  expect_close(fit.result.model.W, expected.W, 1, tolerance, "W");
  expect_close(fit.H, expected.H, std::max(1.0, expected.H.maxCoeff()), tolerance, "H");
  expect_close(fit.R, expected.R, std::max(1.0, expected.R.cwiseAbs().maxCoeff()), tolerance, "R");
}

// gtest names of parameterised tests
inline std::string name_of_numbers(const ::testing::TestParamInfo<Numbers>& info) {
  return info.param.name;
}

}  // namespace tamis::textbook
