// Sample weights multiply into the statistics. `fast` starts its encoder from the data, so copies
// of a sample get the same code and counting a sample twice is the same as giving it weight 2.
#include <gtest/gtest.h>

#include <cmath>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr Index features = 11;
constexpr Index samples = 6;

class Weights : public ::testing::Test {
 protected:
  // One mini-batch whose encoder depends on nothing but the samples.
  static Trainer<double> trainer() {
    Settings settings = plain_settings(3);
    settings.batch_size = 100;
    return Trainer<double>(settings);
  }

  static void expect_same_statistics(const Model<double>& x, const Model<double>& y) {
    const double tolerance = 1e-12;
    EXPECT_LE((x.A - y.A).norm(), tolerance * y.A.norm());
    EXPECT_LE((x.B - y.B).norm(), tolerance * y.B.norm());
    EXPECT_NEAR(x.c, y.c, tolerance * y.c);
    EXPECT_LE((x.W - y.W).norm(), tolerance * y.W.norm());
  }

  const Matrix<double> V =
      make_scene({.features = features, .rank = 3, .samples = samples, .seed = 6}).V;
};

TEST_F(Weights, WeightTwoCountsTwice) {
  auto weighted = trainer();
  auto repeated = trainer();
  Vector<double> weights = Vector<double>::Ones(samples);
  weights[1] = 2;
  Matrix<double> twice(features, samples + 1);
  twice << V, V.col(1);
  weighted.partial_fit(V, weights);
  repeated.partial_fit(twice);
  expect_same_statistics(weighted.model(), repeated.model());
  EXPECT_EQ(weighted.model().weight, 7);
  EXPECT_EQ(repeated.model().weight, 7);
  EXPECT_EQ(weighted.model().samples, samples);
}

TEST_F(Weights, WeightZeroDoesNotCount) {
  auto weighted = trainer();
  auto without = trainer();
  Vector<double> weights = Vector<double>::Ones(samples);
  weights[samples - 1] = 0;
  Matrix<double> spoiled = V;
  spoiled.col(samples - 1).setConstant(50);
  weighted.partial_fit(spoiled, weights);
  without.partial_fit(V.leftCols(samples - 1));
  expect_same_statistics(weighted.model(), without.model());
  EXPECT_EQ(weighted.model().weight, 5);
}

TEST_F(Weights, ABatchOfWeightZeroTeachesNothing) {
  Settings settings = plain_settings(3);
  settings.constraint = Simplex{};  // the sweeps of `fast` change W, but do not rescale A and B
  Trainer<double> trained(settings);
  trained.partial_fit(V);
  const Model<double> before = trained.model();
  trained.partial_fit(V * 3, Vector<double>::Zero(samples));
  const Model<double>& after = trained.model();
  EXPECT_TRUE(same_bits(after.A, before.A));
  EXPECT_TRUE(same_bits(after.B, before.B));
  EXPECT_EQ(after.c, before.c);
  EXPECT_EQ(after.weight, before.weight);
  EXPECT_TRUE(after.W.allFinite());
}

TEST_F(Weights, AFirstBatchOfWeightZeroIsHarmless) {
  auto trained = trainer();
  trained.partial_fit(V, Vector<double>::Zero(samples));
  EXPECT_TRUE(trained.model().W.allFinite());
  EXPECT_EQ(trained.model().weight, 0);
  auto fresh = trainer();
  trained.partial_fit(V);
  fresh.partial_fit(V);
  expect_same_statistics(trained.model(), fresh.model());
}

TEST_F(Weights, OnlyRatiosMatter) {
  auto weighted = trainer();
  auto plain = trainer();
  weighted.partial_fit(V, Vector<double>::Constant(samples, 0.25));
  plain.partial_fit(V);
  expect_same_statistics(weighted.model(), plain.model());
}

TEST_F(Weights, ASourceCarriesWeightsThroughFit) {
  Vector<double> weights = Vector<double>::LinSpaced(samples, 0.5, 3);
  auto by_source = trainer();
  auto by_hand = trainer();
  MatrixSource<double> source(V, weights);
  by_source.fit(source);
  by_hand.partial_fit(V, weights);
  EXPECT_TRUE(same_bits(by_source.model().W, by_hand.model().W));
  EXPECT_TRUE(same_bits(by_source.model().A, by_hand.model().A));
}

TEST_F(Weights, FollowTheirSamplesWhenShuffled) {
  Vector<double> weights = Vector<double>::LinSpaced(samples, 1, samples);
  MatrixSource<double> source(V, weights);
  source.start({.epoch = 0, .shuffle = true, .seed = 3});
  SampleBlock<double> block;
  Index seen = 0;
  while (source.read(4, block)) {
    ASSERT_EQ(block.weights.size(), block.V.cols());
    for (Index j = 0; j < block.V.cols(); ++j, ++seen) {
      const Index original = Index(block.weights[j]) - 1;
      EXPECT_TRUE(same_bits(Matrix<double>(block.V.col(j)), Matrix<double>(V.col(original))));
    }
  }
  EXPECT_EQ(seen, samples);
}

// Means do not depend on the unit of the weights, also where single precision has no such numbers.
TEST(WeightsInSinglePrecision, HaveAnyUnit) {
  const Matrix<float> V =
      make_scene({.features = features, .rank = 3, .samples = 40, .seed = 6}).V.cast<float>();
  Vector<double> weights = Vector<double>::LinSpaced(40, 0.1, 3);
  Trainer<float> usual(plain_settings(3)), small(plain_settings(3));
  usual.partial_fit(V, weights);
  small.partial_fit(V, std::ldexp(1.0, -160) * weights);
  EXPECT_TRUE(same_bits(small.model().W, usual.model().W));
  EXPECT_TRUE(same_bits(small.model().B, usual.model().B));
}

}  // namespace
}  // namespace tamis::test
