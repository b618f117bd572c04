// `orpca`: its codes are optimal for its own problem, whatever the outliers' penalty.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "encoder/row_tasks.hpp"
#include "support/kit.hpp"
#include "support/kkt.hpp"
#include "support/random_data.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// How far h and r are from solving min ½‖v − Wh − r‖² + λ₁/2‖h‖² + φ(r) over r ∈ 𝓡, e the residual
// on the observed entries: Wᵀe = λ₁h, and the judge about r.
double violation(const Model<double>& model, const Matrix<double>& V,
                 const Encoding<double>& found) {
  const double lambda1 = 1 / std::sqrt(double(V.rows()));
  const Matrix<double> rest = V - model.W * found.H - found.R;
  const Matrix<double> E = V.array().isNaN().select(0.0, rest);
  double worst = (model.W.transpose() * E - lambda1 * found.H).cwiseAbs().maxCoeff();
  const Settings& s = model.settings;
  judge::EncodeProblem problem{.W = model.W,
                               .v = {},
                               .lambda = model.lambda,
                               .M = s.max_outlier.value(),
                               .nonneg_outliers = s.nonneg_outliers,
                               .outlier_penalty = s.outlier_penalty,
                               .outlier_groups = s.outlier_groups};
  for (Index j = 0; j < V.cols(); ++j) {
    problem.v = V.col(j);
    worst =
        std::max(worst, judge::verify_encode(problem, found.H.col(j), found.R.col(j)).r.worst());
  }
  return worst;
}

constexpr EncodeOptions accurate{.tolerance = 1e-10, .iterations = 100000};

void expect_optimal(const Settings& settings, const Matrix<double>& V) {
  const auto model = Trainer<double>(settings).fit(V).model;
  const auto found = model.encode(V, accurate);
  EXPECT_TRUE(found.converged);
  EXPECT_LT(violation(model, V, found), 1e-7);
  EXPECT_LT(found.H.minCoeff(), -0.01) << "no code is negative";
  EXPECT_GT(found.R.cwiseAbs().maxCoeff(), 0.1);
  // Also those of the fit, to its tolerance
  const auto trained = solve_codes<double>(model.W, V, model.lambda, settings);
  EXPECT_LT(violation(model, V, trained), 1e-3);
}

TEST(Orpca, CodesAreThoseOfItsOwnProblem) {
  Settings settings = plain_settings(4, Orpca{});
  settings.max_outlier = infinity;
  expect_optimal(settings, baseline_scene().V);
}

TEST(Orpca, OutliersMayBeBoundedOneSidedAndPenalisedOtherwise) {
  Settings settings = plain_settings(4, Orpca{});
  settings.max_outlier = 0.4;
  expect_optimal(settings, baseline_scene().V);
  settings.nonneg_outliers = true;
  expect_optimal(settings, baseline_scene().V);
  settings.nonneg_outliers = false;
  settings.outlier_penalty = ElasticOutliers{0.3};
  expect_optimal(settings, baseline_scene().V);
  settings.outlier_penalty = GroupOutliers{};
  settings.outlier_groups = {{}, {}, {}};
  for (Index i = 0; i < 30; ++i) settings.outlier_groups[std::size_t(i % 3)].push_back(i);
  expect_optimal(settings, baseline_scene().V);
}

TEST(Orpca, EntriesMayBeMissing) {
  Matrix<double> V = baseline_scene().V;
  for (Index j = 0; j < V.cols(); ++j) V((7 * j) % 30, j) = V((11 * j + 3) % 30, j) = std::nan("");
  Settings settings = plain_settings(4, Orpca{});
  settings.missing = true;
  settings.max_outlier = infinity;
  expect_optimal(settings, V);
}

// Where tasks are rows and not samples
TEST(Orpca, CodesOfFramesAreOptimalAndTheSameForAnyNumberOfThreads) {
  const Matrix<double> V =
      make_scene({.features = many_rows + 77, .rank = 3, .samples = 9, .outlier_share = 0.1}).V;
  Settings settings = plain_settings(3, Orpca{});
  const auto serial = Trainer<double>(settings).fit(V).model;
  EXPECT_LT(violation(serial, V, serial.encode(V, accurate)), 1e-5);
  settings.threads = 3;
  EXPECT_TRUE(same_bits(Trainer<double>(settings).fit(V).model.W, serial.W));
  EXPECT_TRUE(same_bits(serial.encode(V, {.threads = 3}).H, serial.encode(V, {.threads = 1}).H));
}

// Columns of a block do not notice each other.
TEST(Orpca, ASampleHasTheSameCodesInAnyCompany) {
  const Matrix<double> V = baseline_scene(40).V;
  const auto model = Trainer<double>(plain_settings(4, Orpca{})).fit(V).model;
  const auto together = model.encode(V);
  for (Index j = 0; j < 40; ++j)
    EXPECT_TRUE(same_bits(model.encode(V.col(j)).H, Matrix<double>(together.H.col(j)))) << j;
}

TEST(Orpca, CodesAreOptimalInFloatToo) {
  const Scene data = baseline_scene();
  const Settings settings = plain_settings(4, Orpca{});
  const auto model = Trainer<float>(settings).fit(data.V.cast<float>()).model;
  const auto found = model.encode(data.V.cast<float>(), {.tolerance = 1e-6});
  Model<double> exact;
  exact.settings = model.settings;
  exact.W = model.W.cast<double>();
  exact.lambda = model.lambda;
  const Encoding<double> codes{found.H.cast<double>(), found.R.cast<double>(), found.loss};
  EXPECT_TRUE(found.converged);
  EXPECT_LT(violation(exact, data.V.cast<float>().cast<double>(), codes), 1e-4);
}

// Atoms that are nearly the same, and so large that rounding errors of WᵀW in single precision
// exceed λ₁ by far: as a step of the update leaves them that has found one sample explained by all.
Matrix<double> nearly_dependent_atoms(Index F, Index K) {
  judge::RandomData random(17);
  const Matrix<double> one = random.uniform_matrix(F, 1);
  const Matrix<double> other = random.uniform_matrix(F, K);
  return (300 * (one.replicate(1, K) + 1e-4 * other)).cast<float>().cast<double>();
}

TEST(Orpca, NearlyDependentAtomsAreNoTroubleInFloat) {
  const Index F = 400;
  const Matrix<double> W = nearly_dependent_atoms(F, 6);
  const Matrix<double> V = make_scene({.features = F, .rank = 2, .samples = 12}).V;
  const Settings settings = plain_settings(6, Orpca{});
  const Matrix<double> rounded = V.cast<float>().cast<double>();
  const auto exact = solve_codes<double>(W, rounded, 0.1, settings);
  const auto found = solve_codes<float>(W.cast<float>(), V.cast<float>(), 0.1, settings);
  ASSERT_TRUE(exact.converged);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.iterations, exact.iterations);
  EXPECT_LT((found.H.cast<double>() - exact.H).norm(), 1e-5 * exact.H.norm());
  EXPECT_LT((found.loss - exact.loss).norm(), 1e-3 * exact.loss.norm());
}

TEST(Orpca, TheLossCountsItsRidge) {
  const Scene data = baseline_scene(20);
  const auto model = Trainer<double>(plain_settings(4, Orpca{})).fit(data.V).model;
  const auto found = model.encode(data.V);
  const double lambda1 = 1 / std::sqrt(30.0);
  for (Index j = 0; j < 20; ++j) {
    const double loss =
        (data.V.col(j) - model.W * found.H.col(j) - found.R.col(j)).squaredNorm() / 2 +
        model.lambda * found.R.col(j).lpNorm<1>() + lambda1 / 2 * found.H.col(j).squaredNorm();
    EXPECT_NEAR(found.loss[j], loss, 1e-12);
  }
}

TEST(Orpca, SaysWhenTheIterationsWereNotEnough) {
  const Scene data = baseline_scene(20);
  const auto few = Trainer<double>(plain_settings(4, Orpca{.iterations = 2})).fit(data.V);
  EXPECT_EQ(few.info.unconverged_batches, few.info.batches);
  const auto enough = Trainer<double>(plain_settings(4, Orpca{})).fit(data.V);
  EXPECT_EQ(enough.info.unconverged_batches, 0);
}

TEST(Orpca, UnitColumnsHaveUnitNorm) {
  const auto model =
      Trainer<double>(plain_settings(4, Orpca{.unit_columns = true})).fit(baseline_scene().V).model;
  EXPECT_LT((model.W.colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
}

// Its penalty pulls L towards zero, where it would stay.
TEST(Orpca, SamplesOfZerosDoNotEndItsLearning) {
  Settings settings = plain_settings(4, Orpca{});
  Trainer<double> trainer(settings);
  for (int batch = 0; batch < 5; ++batch) trainer.partial_fit(Matrix<double>::Zero(30, 64));
  EXPECT_GT(trainer.model().W.norm(), 0.1);
  const Matrix<double> V = baseline_scene(512).V;
  for (Index first = 0; first < 512; first += 64) trainer.partial_fit(V.middleCols(first, 64));
  const auto encoding = trainer.model().encode(V);
  EXPECT_GT(encoding.H.norm(), 0);
  EXPECT_LT(encoding.loss.sum(), 0.5 * (V.squaredNorm() / 2));
}

}  // namespace
}  // namespace tamis::test
