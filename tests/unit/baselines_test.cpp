// `orpca` and `onmf`: their codes are optimal, their states complete, and what they cannot do is
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

#include "support/kit.hpp"
#include "support/kkt.hpp"
#include "support/random_data.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Scene scene(Index samples = 96) {
  return make_scene({.features = 30,
                     .rank = 4,
                     .samples = samples,
                     .noise = 0.02,
                     .outlier_share = 0.1,
                     .outlier_size = 2,
                     .seed = 61});
}

// How far h and r are from solving min ½‖v − Wh − r‖² + λ₁/2‖h‖² + λ‖r‖₁, |r| ≤ M:
// Wᵀe = λ₁h, and e is λ·sign(r) where 0 < |r| < M, within ±λ where r = 0, and beyond where |r| = M.
double orpca_violation(const Model<double>& model, const Matrix<double>& V,
                       const Encoding<double>& found) {
  const double lambda1 = 1 / std::sqrt(double(V.rows()));
  const double M = model.settings.max_outlier.value();
  const Matrix<double> E = V - model.W * found.H - found.R;
  double worst = (model.W.transpose() * E - lambda1 * found.H).cwiseAbs().maxCoeff();
  for (Index i = 0; i < E.size(); ++i) {
    const double r = found.R.data()[i];
    const double e = E.data()[i];
    const double outward = r < 0 ? -e : e;
    double off = std::abs(outward - model.lambda);
    if (r == 0) off = std::max(0.0, std::abs(e) - model.lambda);
    if (std::abs(r) > M - 1e-9) off = std::max(0.0, model.lambda - outward);
    worst = std::max(worst, off);
  }
  return worst;
}

TEST(Orpca, CodesAreThoseOfItsOwnProblem) {
  const Scene data = scene();
  for (const double M : {infinity, 0.4}) {
    SCOPED_TRACE(M);
    Settings settings = plain_settings(4, Orpca{});
    settings.max_outlier = M;
    const auto model = Trainer<double>(settings).fit(data.V).model;
    const auto found = model.encode(data.V, {.tolerance = 1e-10, .iterations = 100000});
    EXPECT_TRUE(found.converged);
    EXPECT_LT(orpca_violation(model, data.V, found), 1e-8);
    EXPECT_LT(found.H.minCoeff(), -0.01) << "no code is negative";
    EXPECT_GT(found.R.cwiseAbs().maxCoeff(), 0.3);
    // Also those of the fit, to its tolerance
    const auto trained = solve_codes<double>(model.W, data.V, model.lambda, settings);
    EXPECT_LT(orpca_violation(model, data.V, trained), 1e-4);
  }
}

TEST(Orpca, CodesAreOptimalInFloatToo) {
  const Scene data = scene();
  const Settings settings = plain_settings(4, Orpca{});
  const auto model = Trainer<float>(settings).fit(data.V.cast<float>()).model;
  const auto found = model.encode(data.V.cast<float>(), {.tolerance = 1e-6});
  Model<double> exact;
  exact.settings = model.settings;
  exact.W = model.W.cast<double>();
  exact.lambda = model.lambda;
  const Encoding<double> codes{found.H.cast<double>(), found.R.cast<double>(), found.loss};
  EXPECT_TRUE(found.converged);
  EXPECT_LT(orpca_violation(exact, data.V.cast<float>().cast<double>(), codes), 1e-4);
}

TEST(Orpca, TheLossCountsItsRidge) {
  const Scene data = scene(20);
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
  const Scene data = scene(20);
  const auto few = Trainer<double>(plain_settings(4, Orpca{.iterations = 2})).fit(data.V);
  EXPECT_EQ(few.info.unconverged_batches, few.info.batches);
  const auto enough = Trainer<double>(plain_settings(4, Orpca{})).fit(data.V);
  EXPECT_EQ(enough.info.unconverged_batches, 0);
}

TEST(Orpca, UnitColumnsHaveUnitNorm) {
  const auto model =
      Trainer<double>(plain_settings(4, Orpca{.unit_columns = true})).fit(scene().V).model;
  EXPECT_LT((model.W.colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
}

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
  const Scene data = scene();
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
  const Scene data = scene(16);
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

struct Refusal {
  std::string name;
  Algorithm algorithm;
  std::function<void(Settings&)> spoil;
  std::string field;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class Scope : public ::testing::TestWithParam<Refusal> {};

TEST_P(Scope, IsKept) {
  Settings settings;
  settings.algorithm = GetParam().algorithm;
  EXPECT_EQ(settings.violations(), std::vector<std::string>{});
  GetParam().spoil(settings);
  const auto found = settings.violations();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].substr(0, GetParam().field.size()), GetParam().field);
  EXPECT_NE(found[0].find(name_of(GetParam().algorithm)), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("leave " + GetParam().field + " out"), std::string::npos) << found[0];
  settings.algorithm = Fast{};
  settings.dictionary_penalty.l2 = 0.1;  // for sets without bound
  EXPECT_EQ(settings.violations(), std::vector<std::string>{}) << "what `fast` can do";
}

std::vector<Refusal> refusals() {
  const auto ball = [](Settings& s) { s.constraint = Ball{}; };
  const auto none = [](Settings& s) { s.constraint = Unconstrained{}; };
  const auto lasso = [](Settings& s) { s.code_penalty = Lasso{}; };
  const auto ridge = [](Settings& s) { s.dictionary_penalty.l2 = 0.1; };
  const auto outliers = [](Settings& s) { s.lambda = LambdaPaper{}; };
  const auto number = [](Settings& s) { s.lambda = LambdaValue{0.3}; };
  const auto holes = [](Settings& s) { s.missing = true; };
  return {{"OrpcaBall", Orpca{}, ball, "constraint"},
          {"OrpcaCodes", Orpca{}, lasso, "code_penalty"},
          {"OrpcaDictionary", Orpca{}, ridge, "dictionary_penalty"},
          {"OnmfBall", Onmf{}, ball, "constraint"},
          {"OnmfNone", Onmf{}, none, "constraint"},
          {"OnmfCodes", Onmf{}, lasso, "code_penalty"},
          {"OnmfDictionary", Onmf{}, ridge, "dictionary_penalty"},
          {"OnmfPaper", Onmf{}, outliers, "lambda"},
          {"OnmfLambda", Onmf{}, number, "lambda"},
          {"OnmfMissing", Onmf{}, holes, "missing"}};
}

INSTANTIATE_TEST_SUITE_P(Cases, Scope, ::testing::ValuesIn(refusals()),
                         [](const auto& test) { return test.param.name; });

TEST(ScopeAllows, WhatIsTheDefaultAnyway) {
  Settings settings;
  settings.algorithm = Orpca{};
  settings.constraint = Unconstrained{};
  settings.missing = true;
  EXPECT_EQ(settings.violations(), std::vector<std::string>{});
  settings.algorithm = Onmf{};
  settings.missing = false;
  settings.constraint = Simplex{};
  settings.lambda = LambdaValue{infinity};
  EXPECT_EQ(settings.violations(), std::vector<std::string>{});
}

TEST(ScopeOfSolvers, IsKeptToo) {
  const Matrix<double> W = Matrix<double>::Ones(4, 2);
  const Settings settings = plain_settings(2, Onmf{});
  EXPECT_THROW(solve_codes<double>(W, W, 0.1, settings), SettingsError);
  EXPECT_THROW(
      solve_codes<double>(W, Matrix<double>::Constant(4, 1, std::nan("")), infinity, settings),
      DataError);
  EXPECT_THROW(solve_dictionary<double>(W, Matrix<double>::Ones(2, 2), W, settings), SettingsError);
}

}  // namespace
}  // namespace tamis::test
