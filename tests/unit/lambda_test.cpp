// The outlier penalty's weight: a number, 1/√F, or from the noise.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"
#include "tamis/error.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Settings settings_with(const Lambda& lambda) {
  Settings settings = plain_settings(4);
  settings.lambda = lambda;
  settings.max_outlier = infinity;
  settings.batch_size = 32;
  return settings;
}

Scene noisy_scene(double noise, double outlier_share = 0.05) {
  return make_scene({.features = 40,
                     .rank = 4,
                     .samples = 3200,
                     .noise = noise,
                     .outlier_share = outlier_share,
                     .outlier_size = 2,
                     .seed = 21});
}

TEST(LambdaAuto, FollowsTheNoise) {
  for (const double noise : {0.01, 0.05}) {
    SCOPED_TRACE(noise);
    Settings settings = settings_with(LambdaAuto{});
    settings.forget = ForgetPolynomial{};
    const auto model = Trainer<double>(settings).fit(noisy_scene(noise).V).model;
    EXPECT_EQ(model.lambda, 1.345 * model.sigma);
    // A few outliers inflate σ̂, entries at 0 shrink it, a dictionary that still learns inflates it.
    EXPECT_GT(model.sigma, noise / 2);
    EXPECT_LT(model.sigma, noise * 2);
  }
}

TEST(LambdaAuto, ShrinksWhileTheDictionaryImproves) {
  Settings settings = settings_with(LambdaAuto{});
  settings.forget = ForgetPolynomial{};
  const auto result = Trainer<double>(settings).fit(noisy_scene(0.01).V);
  const auto& points = result.info.trace.points();
  EXPECT_LT(points.back().lambda, points.front().lambda / 3);
}

TEST(LambdaAuto, ScalesWithTheData) {
  const Scene scene = noisy_scene(0.03);
  const auto model = Trainer<double>(settings_with(LambdaAuto{})).fit(scene.V).model;
  const auto scaled = Trainer<double>(settings_with(LambdaAuto{})).fit(scene.V * 128).model;
  EXPECT_NEAR(scaled.lambda / model.lambda, 128, 128 * 0.02);
}

TEST(LambdaAuto, TheConstantIsTheUsers) {
  const auto model = Trainer<double>(settings_with(LambdaAuto{2})).fit(noisy_scene(0.03).V).model;
  EXPECT_EQ(model.lambda, 2 * model.sigma);
}

TEST(LambdaAuto, IsFrozenInEncode) {
  const Scene scene = noisy_scene(0.02);
  const auto model = Trainer<double>(settings_with(LambdaAuto{})).fit(scene.V).model;
  const auto together = model.encode(scene.V.leftCols(5));
  Matrix<double> noisier = scene.V;
  noisier.rightCols(scene.V.cols() - 5) *= 10;
  const auto beside_noise = model.encode(noisier);
  EXPECT_LT((beside_noise.H.leftCols(5) - together.H).norm(), 1e-2 * together.H.norm());
}

TEST(LambdaPaper, IsOneOverTheRootOfTheFeatures) {
  const auto model = Trainer<double>(settings_with(LambdaPaper{})).fit(noisy_scene(0.02).V).model;
  EXPECT_DOUBLE_EQ(model.lambda, 1 / std::sqrt(40.0));
}

TEST(LambdaInfinite, SwitchesOutliersOff) {
  const auto V = noisy_scene(0.02, 0.2).V.leftCols(100).eval();
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = settings_with(LambdaValue{infinity});
    settings.algorithm = algorithm;
    settings.max_outlier = 1;
    Collector<double> sink;
    FitOptions<double> options;
    options.sink = &sink;
    const auto result = Trainer<double>(settings).fit(V, options);
    EXPECT_TRUE(result.model.W.allFinite());
    EXPECT_TRUE(std::isfinite(result.model.c));
    EXPECT_TRUE(std::isfinite(result.info.objective));
    EXPECT_TRUE(result.model.encode(V).R.isZero(0));
    EXPECT_TRUE(sink.R.isZero(0));
  }
}

TEST(LambdaZero, EverythingIsAnOutlier) {
  const auto V = noisy_scene(0.02).V.leftCols(64).eval();
  const auto model = Trainer<double>(settings_with(LambdaValue{0})).fit(V).model;
  EXPECT_TRUE(model.W.allFinite());
  EXPECT_LT(model.encode(V).loss.maxCoeff(), 1e-12);
}

// Samples of zeros, or of weight 0, say nothing about the noise; and no atom is lost to them.
TEST(LambdaAuto, WaitsForSamplesThatTellSomething) {
  const Matrix<double> V = noisy_scene(0.02).V.leftCols(32);
  Settings settings = settings_with(LambdaAuto{});
  settings.reseed = true;
  for (const bool zeros : {true, false}) {
    SCOPED_TRACE(zeros);
    Trainer<double> plain(settings), late(settings);
    late.partial_fit(zeros ? Matrix<double>::Zero(40, 32).eval() : (3 * V).eval(),
                     Vector<double>::Constant(32, zeros ? 1 : 0));
    EXPECT_EQ(late.model().lambda, infinity);
    EXPECT_EQ(late.model().reseeded, 0);
    late.partial_fit(V);
    plain.partial_fit(V);
    EXPECT_DOUBLE_EQ(late.model().lambda, plain.model().lambda);
    EXPECT_LT((late.model().W - plain.model().W).norm(), 1e-9);
  }
}

TEST(LambdaAuto, RefusesDataWhoseNoiseItCannotMeasure) {
  const Matrix<double> V = noisy_scene(0.02).V.leftCols(64);
  for (const double scale : {1e-40, 1e40}) {
    SCOPED_TRACE(scale);
    Settings settings = settings_with(LambdaAuto{});
    EXPECT_THROW(Trainer<double>(settings).fit(scale * V), DataError);
    settings.normalize = NormalizeMax{};
    EXPECT_GT(Trainer<double>(settings).fit(scale * V).model.sigma, 0);
    settings = settings_with(LambdaValue{0.1 * scale});
    EXPECT_TRUE(Trainer<double>(settings).fit(scale * V).model.W.allFinite());
  }
}

}  // namespace
}  // namespace tamis::test
