// The baselines find what was planted: `orpca` the subspace, also under gross errors, and `onmf`
// the parts of data without any.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

Matrix<double> orthonormal(const Matrix<double>& W) {
  return Eigen::HouseholderQR<Matrix<double>>(W).householderQ() *
         Matrix<double>::Identity(W.rows(), W.cols());
}

// ‖UᵀQ‖_F²/r: 1 if W spans the planted subspace
double expressed_variance(const Matrix<double>& planted, const Matrix<double>& W) {
  return (orthonormal(planted).transpose() * orthonormal(W)).squaredNorm() / double(planted.cols());
}

Scene planted(double outlier_share, std::uint64_t seed) {
  return make_scene({.features = 60,
                     .rank = 4,
                     .samples = low_effort() ? 800 : 2000,
                     .noise = 0.01,
                     .outlier_share = outlier_share,
                     .outlier_size = 3,
                     .seed = seed});
}

Settings settings_for(const Algorithm& algorithm, std::uint64_t seed) {
  Settings settings;
  settings.rank = 4;
  settings.algorithm = algorithm;
  settings.normalize = NormalizeNone{};
  settings.batch_size = 5;
  settings.seed = seed;
  return settings;
}

class PlantedSubspace : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PlantedSubspace, IsFoundByOrpca) {
  const Scene scene = planted(0, GetParam());
  for (const Orpca& orpca : {Orpca{}, Orpca{.unit_columns = true}}) {
    const auto result = Trainer<double>(settings_for(orpca, GetParam())).fit(scene.V);
    EXPECT_GT(expressed_variance(scene.W, result.model.W), 0.999);
    EXPECT_EQ(result.info.unconverged_batches, 0);
  }
}

TEST_P(PlantedSubspace, IsFoundByOrpcaUnderGrossErrors) {
  const Scene scene = planted(0.1, GetParam());
  const Settings settings = settings_for(Orpca{}, GetParam());
  const auto model = Trainer<double>(settings).fit(scene.V).model;
  EXPECT_GT(expressed_variance(scene.W, model.W), 0.95);
  // and the outlier term is why
  Settings without = settings;
  without.lambda = LambdaValue{std::numeric_limits<double>::infinity()};
  EXPECT_LT(expressed_variance(scene.W, Trainer<double>(without).fit(scene.V).model.W),
            expressed_variance(scene.W, model.W) - 0.02);
  // The gross errors are in R: what is left of them beside the clean data is small.
  const auto encoding = model.encode(scene.V);
  const double left = (scene.V - encoding.R - scene.clean).norm();
  EXPECT_LT(left, 0.4 * (scene.V - scene.clean).norm());
}

// A second half of the stream is explained better than the first: it goes on learning.
TEST_P(PlantedSubspace, TheObjectiveOfOrpcaFalls) {
  const Scene scene = planted(0.05, GetParam());
  const auto points =
      Trainer<double>(settings_for(Orpca{}, GetParam())).fit(scene.V).info.trace.points();
  EXPECT_LT(points.back().objective, points[1].objective);
  EXPECT_LT(points.back().change, 0.1 * points.front().change);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlantedSubspace, ::testing::Values(1, 2, 3));

class PlantedNonnegativeParts : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PlantedNonnegativeParts, AreExplainedByOnmf) {
  const Scene scene = planted(0, GetParam());
  Settings settings = settings_for(Onmf{}, GetParam());
  settings.epochs = 2;
  const auto result = Trainer<double>(settings).fit(scene.V);
  const Matrix<double>& W = result.model.W;
  EXPECT_TRUE(is_feasible(settings, W, 1e-12));
  const Matrix<double> explained = result.model.reconstruct(result.model.encode(scene.V).H);
  const double error = (explained - scene.clean).norm() / scene.clean.norm();
  Model<double> start = result.model;
  start.W = UniformInit{}.make<double>(scene.V, 4, settings.seed);
  for (Index j = 0; j < 4; ++j) Simplex{}.project<double>(start.W.col(j));
  const Matrix<double> at_start = start.reconstruct(start.encode(scene.V).H);
  EXPECT_LT(error, 0.1);
  EXPECT_GT((at_start - scene.clean).norm() / scene.clean.norm(), 0.5);
  // Fewer samples do not bring it as far: 0.94 was seen.
  EXPECT_GT(expressed_variance(scene.W, W), low_effort() ? 0.9 : 0.97);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlantedNonnegativeParts, ::testing::Values(1, 2, 3));

// At every moment, not only at the end
TEST(OnmfDictionary, StaysOnTheSimplex) {
  const Matrix<float> V = planted(0.1, 4).V.leftCols(300).cast<float>();
  Trainer<float> trainer(settings_for(Onmf{}, 4));
  for (Index first = 0; first < 300; first += 5) {
    trainer.partial_fit(V.middleCols(first, 5));
    ASSERT_TRUE(is_feasible(trainer.model().settings, trainer.model().W, 1e-5)) << first;
  }
}

}  // namespace
}  // namespace tamis::test
