// Model::encode: codes and outliers of new samples, for a model that stays as it is.
#include <gtest/gtest.h>

#include <thread>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

class Encode : public ::testing::Test {
 protected:
  static SceneRecipe recipe() {
    return {.features = 40, .rank = 4, .samples = 120, .outlier_share = 0.1, .seed = 51};
  }

  const Scene scene = make_scene(recipe());
  const Matrix<double> fresh = make_scene(recipe(), 5000).V;
  const Model<double> model = Trainer<double>(plain_settings(4)).fit(scene.V).model;
};

TEST_F(Encode, LeavesTheModelUnchanged) {
  const std::string before = bytes_of(model);
  model.encode(fresh);
  EXPECT_TRUE(bytes_of(model) == before);
}

TEST_F(Encode, GivesFeasibleCodesThatExplainTheSamples) {
  const auto encoding = model.encode(fresh);
  ASSERT_EQ(encoding.H.rows(), 4);
  ASSERT_EQ(encoding.H.cols(), fresh.cols());
  ASSERT_EQ(encoding.R.rows(), 40);
  EXPECT_GE(encoding.H.minCoeff(), 0);
  EXPECT_LE(encoding.R.cwiseAbs().maxCoeff(), 1);
  const Matrix<double> rest = fresh - model.reconstruct(encoding.H) - encoding.R;
  // What is neither explained nor an outlier is at most λ, where the bound M does not act.
  EXPECT_LE((encoding.R.array().abs() < 0.999).select(rest, 0.0).cwiseAbs().maxCoeff(), 0.1 + 1e-9);
}

TEST_F(Encode, TheLossIsThatOfTheCodes) {
  const auto encoding = model.encode(fresh);
  for (Index j = 0; j < fresh.cols(); ++j) {
    const auto h = encoding.H.col(j);
    const auto r = encoding.R.col(j);
    const double loss =
        (fresh.col(j) - model.W * h - r).squaredNorm() / 2 + model.lambda * r.lpNorm<1>();
    EXPECT_NEAR(encoding.loss[j], loss, 1e-12);
  }
}

TEST_F(Encode, TheNumberOfThreadsDoesNotMatter) {
  const auto serial = model.encode(fresh, {.threads = 1});
  for (const Index threads : {2, 3, 4}) {
    const auto parallel = model.encode(fresh, {.threads = threads});
    EXPECT_TRUE(same_bits(parallel.H, serial.H));
    EXPECT_TRUE(same_bits(parallel.R, serial.R));
  }
}

TEST_F(Encode, MayRunInSeveralThreadsAtOnce) {
  const auto alone = model.encode(fresh);
  std::vector<Encoding<double>> results(4);
  std::vector<std::thread> threads;
  threads.reserve(results.size());
  for (auto& result : results) {
    threads.emplace_back([&] { result = model.encode(fresh, {.threads = 2}); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) {
    EXPECT_TRUE(same_bits(result.H, alone.H));
    EXPECT_TRUE(same_bits(result.R, alone.R));
  }
}

TEST_F(Encode, ASmallerToleranceIsMoreAccurate) {
  const auto exact = model.encode(fresh, {.tolerance = 1e-12, .iterations = 100000});
  ASSERT_TRUE(exact.converged);
  double previous = 1;
  Index iterations = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const auto encoding = model.encode(fresh, {.tolerance = tolerance, .iterations = 100000});
    const double error = (encoding.H - exact.H).norm() / exact.H.norm();
    EXPECT_TRUE(encoding.converged);
    EXPECT_LT(error, 30 * tolerance) << tolerance;
    EXPECT_LT(error, previous);
    EXPECT_GT(encoding.iterations, iterations);
    previous = error;
    iterations = encoding.iterations;
  }
  // The optimum is the lowest.
  EXPECT_LE(exact.loss.sum(), model.encode(fresh, {.tolerance = 1e-2}).loss.sum() + 1e-12);
}

TEST_F(Encode, SaysWhenTheIterationsWereNotEnough) {
  const auto encoding = model.encode(fresh, {.tolerance = 1e-12, .iterations = 3});
  EXPECT_FALSE(encoding.converged);
  EXPECT_EQ(encoding.iterations, 3);
}

// Whatever solver trained the model, its codes are those of the same convex problem, unless they
// may be negative.
TEST_F(Encode, DoesNotDependOnTheTrainingAlgorithm) {
  const auto expected = model.encode(fresh, {.tolerance = 1e-10, .iterations = 100000});
  for (const Algorithm& algorithm : all_algorithms()) {
    if (scope_of(algorithm).signed_codes) continue;
    SCOPED_TRACE(name_of(algorithm));
    Model<double> other = model;
    other.settings.algorithm = algorithm;
    const auto encoding = other.encode(fresh, {.tolerance = 1e-10, .iterations = 100000});
    EXPECT_LT((encoding.H - expected.H).norm(), 1e-7 * expected.H.norm());
  }
}

TEST_F(Encode, RefusesAnUntrainedModel) {
  EXPECT_THROW(Model<double>().encode(fresh), DataError);
  EXPECT_THROW(Trainer<double>(plain_settings(4)).model().encode(fresh), DataError);
}

}  // namespace
}  // namespace tamis::test
