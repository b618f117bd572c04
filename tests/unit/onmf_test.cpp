// `onmf`: its codes are nonnegative least squares, its buffer holds what it should.
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

double nnls_violation(const Matrix<double>& W, const Matrix<double>& V, const Matrix<double>& H) {
  double worst = 0;
  for (Index j = 0; j < V.cols(); ++j) {
    const judge::EncodeProblem problem{.W = W, .v = V.col(j), .lambda = infinity};
    worst = std::max(
        worst, judge::verify_encode(problem, H.col(j), Vector<double>::Zero(V.rows())).h.worst());
  }
  return worst;
}

TEST(Onmf, CodesAreNonnegativeLeastSquares) {
  judge::RandomData random(8);
  Settings settings = plain_settings(3, Onmf{.tolerance = 1e-12});
  for (const Index K : {1, 3, 8, 25}) {
    SCOPED_TRACE(K);
    const Matrix<double> W = random.uniform_matrix(12, K);  // at 25 more atoms than features
    Matrix<double> V = random.uniform_matrix(12, 40);
    V.leftCols(10).array() -= 0.7;  // some samples that no atom helps
    settings.rank = K;
    const auto found = solve_codes<double>(W, V, infinity, settings);
    EXPECT_TRUE(found.converged);
    EXPECT_LT(nnls_violation(W, V, found.H), 1e-9);
    const auto rounded = solve_codes<float>(W.cast<float>(), V.cast<float>(), infinity, settings);
    EXPECT_LT(nnls_violation(W.cast<float>().cast<double>(), V.cast<float>().cast<double>(),
                             rounded.H.cast<double>()),
              1e-5);
  }
}

TEST(Onmf, EqualAndEmptyAtomsAreHarmless) {
  judge::RandomData random(9);
  Matrix<double> W = random.uniform_matrix(12, 6);
  W.col(2) = W.col(1);
  W.col(3) = W.col(1);
  W.col(5).setZero();
  const Matrix<double> V = random.uniform_matrix(12, 40);
  const auto found = solve_codes<double>(W, V, infinity, plain_settings(6, Onmf{}));
  EXPECT_TRUE(found.H.allFinite());
  EXPECT_LT(nnls_violation(W, V, found.H), 1e-6);
}

TEST(Onmf, CodesOfTheModelAreTheSame) {
  const Scene data = baseline_scene();
  const Settings settings = plain_settings(4, Onmf{});
  const auto model = Trainer<double>(settings).fit(data.V).model;
  const auto found = model.encode(data.V, {.tolerance = 1e-9, .iterations = 100000});
  const auto trained = solve_codes<double>(model.W, data.V, infinity, settings);
  EXPECT_LT((found.H - trained.H).norm(), 1e-5 * trained.H.norm());
  EXPECT_TRUE(found.R.isZero(0));
  EXPECT_TRUE(is_feasible(settings, model.W, 1e-12));
}

// As if it were not there.
TEST(Onmf, ASampleWithoutWeightIsNotDrawn) {
  const Scene data = baseline_scene(16);
  Matrix<double> V(30, 20);
  V << data.V, Matrix<double>::Constant(30, 4, 9.0);
  Vector<double> weights = Vector<double>::Ones(20);
  weights.tail(4).setZero();
  Trainer<double> with(plain_settings(4, Onmf{}));
  Trainer<double> without(plain_settings(4, Onmf{}));
  with.partial_fit(V, weights);
  without.partial_fit(data.V);
  EXPECT_TRUE(same_bits(with.model().W, without.model().W));
  // and only ratios of weights count
  Trainer<double> doubled(plain_settings(4, Onmf{}));
  doubled.partial_fit(data.V, Vector<double>::Constant(16, 4.0));
  EXPECT_LT((doubled.model().W - without.model().W).norm(), 1e-12);
}

TEST(Onmf, APerfectFitStaysWhereItIs) {
  const auto model = Trainer<double>(plain_settings(2, Onmf{})).fit(Matrix<double>::Zero(9, 12));
  EXPECT_TRUE(model.model.W.allFinite());
  EXPECT_TRUE(is_feasible(model.model.settings, model.model.W, 1e-12));
}

// Where tasks are rows, and columns are long enough to be shared
TEST(Onmf, OfFramesIsTheSameForAnyNumberOfThreads) {
  const Matrix<double> V =
      make_scene({.features = many_rows + 77, .rank = 3, .samples = 24, .outlier_share = 0}).V;
  Settings settings = plain_settings(5, Onmf{});
  const auto serial = Trainer<double>(settings).fit(V).model;
  EXPECT_LT(nnls_violation(serial.W, V, solve_codes<double>(serial.W, V, infinity, settings).H),
            1e-6);
  settings.threads = 3;
  EXPECT_TRUE(same_bits(Trainer<double>(settings).fit(V).model.W, serial.W));
}

}  // namespace
}  // namespace tamis::test
