// What is believed and what is replaced.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/kit.hpp"
#include "support/random_data.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

// One atom (1, 1, 1)/√3, so that a reconstruction has equal entries.
Model<double> flat_model(const Normalize& normalize) {
  Settings settings;
  settings.rank = 1;
  settings.lambda = LambdaValue{std::numeric_limits<double>::infinity()};
  settings.normalize = normalize;
  settings.missing = true;
  Trainer<double> trainer(settings);
  trainer.fit(Matrix<double>::Constant(3, 200, 0.5));
  Model<double> model = trainer.model();
  model.lambda = 0.05;
  return model;
}

TEST(Denoise, KeepsWhatFitsAndReplacesTheRest) {
  const Model<double> model = flat_model(NormalizeNone{});
  Matrix<double> V(3, 2);
  V << 0.4, 0.6, 0.41, 0.6, 0.4, 0.0;
  const Encoding<double> encoding = model.encode(V, {.tolerance = 1e-9});
  const Matrix<double> P = model.reconstruct(encoding.H);
  const Matrix<double> cleaned = denoise<double>(model, V, encoding, 0.1);
  EXPECT_EQ(cleaned.col(0), V.col(0)) << "nothing is off by more than 0.1";
  EXPECT_EQ(cleaned(0, 1), V(0, 1));
  EXPECT_EQ(cleaned(2, 1), P(2, 1));
  EXPECT_GT(cleaned(2, 1), 0.4);
  EXPECT_EQ(denoise<double>(model, V, encoding, std::numeric_limits<double>::infinity()), V);
}

TEST(Denoise, FillsInWhatIsMissing) {
  const Model<double> model = flat_model(NormalizeNone{});
  Matrix<double> V(3, 1);
  V << 0.4, std::nan(""), 0.4;
  const Matrix<double> cleaned =
      denoise<double>(model, V, model.encode(V), std::numeric_limits<double>::infinity());
  EXPECT_EQ(cleaned(0, 0), 0.4);
  EXPECT_NEAR(cleaned(1, 0), 0.4, 0.01);
}

TEST(Denoise, TheThresholdIsInUnitsOfTheDataOrOfWhatSamplesAreDividedBy) {
  const Model<double> model = flat_model(NormalizeMax{});
  Matrix<double> V(3, 1);
  V << 100, 100, 70;
  const Encoding<double> encoding = model.encode(V);
  for (const auto& [unit, size] :
       {std::pair{ThresholdUnit::scaled, 1.0}, {ThresholdUnit::data, 100.0}}) {
    EXPECT_EQ(denoise<double>(model, V, encoding, 0.4 * size, unit), V);
    EXPECT_GT(denoise<double>(model, V, encoding, 0.1 * size, unit)(2, 0), 90);
  }
}

TEST(Denoise, ANoiseScaleThatTheModelDoesNotKnowComesFromTheResiduals) {
  Model<double> model = flat_model(NormalizeNone{});
  ASSERT_EQ(model.sigma, 0);
  Matrix<double> V(3, 2);
  V << 0.5, 0.5, 0.5, 0.5, 0.5, 0.9;
  Encoding<double> encoding = model.encode(V, {.tolerance = 1e-9});
  const Matrix<double> P = model.reconstruct(encoding.H);
  Vector<double> residuals = (V - P).cwiseAbs().reshaped();
  std::sort(residuals.begin(), residuals.end());
  EXPECT_NEAR(inlier_threshold<double>(model, V, encoding).value(), 3 * residuals[3] / 0.6745,
              1e-12);
  model.sigma = 0.2;
  EXPECT_DOUBLE_EQ(inlier_threshold<double>(model, V, encoding).value(), 0.6);
}

// Noise of scale 0.1 with a share of gross errors that are uniform on [0, 4]: their densities are
// equal where (1 − share)·2φ(e/σ)/σ = share/4, which is 0.36 for 5 % and 0.29 for 30 %.
TEST(InlierThreshold, IsWhereAnErrorIsAsLikelyAsNot) {
  for (const auto& [share, expected] : {std::pair{0.05, 0.358}, std::pair{0.3, 0.294}}) {
    judge::RandomData random(3);
    Matrix<double> V(500, 400);
    for (Index i = 0; i < V.size(); ++i)
      V.data()[i] = random.uniform(0, 1) < share ? random.uniform(0, 4) : 0.1 * random.normal();
    Model<double> model;
    model.settings = test::plain_settings(1).resolved();
    model.W.setZero(500, 1);
    Encoding<double> encoding;
    encoding.H.setZero(1, 400);
    EXPECT_NEAR(inlier_threshold<double>(model, V, encoding).value(), expected, 0.03) << share;
  }
}

TEST(InlierThreshold, BelievesNearlyEverythingWhenNothingIsWrong) {
  judge::RandomData random(4);
  Matrix<double> V(500, 400);
  for (Index i = 0; i < V.size(); ++i) V.data()[i] = 0.1 * random.normal();
  Model<double> model;
  model.settings = test::plain_settings(1).resolved();
  model.W.setZero(500, 1);
  Encoding<double> encoding;
  encoding.H.setZero(1, 400);
  EXPECT_GT(inlier_threshold<double>(model, V, encoding).value(), 0.4);
}

// Black frames and missing ones say nothing, and beside others they change nothing.
TEST(InlierThreshold, DoesNotComeFromSamplesOfZeros) {
  Model<double> model = flat_model(NormalizeNone{});
  Matrix<double> silent(3, 4);
  silent.leftCols(2).setZero();
  silent.rightCols(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  Encoding<double> encoding;
  encoding.H.setZero(1, 4);
  EXPECT_FALSE(inlier_threshold<double>(model, silent, encoding).has_value());
  Matrix<double> V(3, 2);
  V << 0.1, 0.2, 0.3, 0.4, 0.5, 0.9;
  Matrix<double> beside(3, 6);
  beside << silent, V;
  Encoding<double> of_both;
  encoding.H.setZero(1, 2);
  of_both.H.setZero(1, 6);
  EXPECT_EQ(inlier_threshold<double>(model, beside, of_both),
            inlier_threshold<double>(model, V, encoding).value());
}

}  // namespace
}  // namespace tamis
