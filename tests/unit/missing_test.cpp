// Missing entries are NaN: they cost nothing, teach nothing, and come back as Wh.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "random/random.hpp"
#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Clean low-rank data with a share of the entries hidden.
struct Holes {
  Scene scene;
  Matrix<double> V;

  Holes(Index samples, double share) {
    scene = make_scene({.features = 30,
                        .rank = 3,
                        .samples = samples,
                        .noise = 0.005,
                        .outlier_share = 0,
                        .seed = 8});
    V = scene.V;
    RandomStream random(9, Purpose::data, 2);
    for (Index j = 0; j < V.cols(); ++j) {
      for (Index i = 0; i < V.rows(); ++i) {
        if (random.uniform() < share) V(i, j) = nan;
      }
    }
  }
};

Settings settings_for(const Algorithm& algorithm) {
  Settings settings = plain_settings(3, algorithm);
  settings.missing = true;
  settings.max_outlier = std::numeric_limits<double>::infinity();
  return settings;
}

// Relative error of WH at the hidden entries
double imputation_error(const Holes& holes, const Matrix<double>& imputed) {
  double error = 0;
  double size = 0;
  for (Index j = 0; j < holes.V.cols(); ++j) {
    for (Index i = 0; i < holes.V.rows(); ++i) {
      if (!std::isnan(holes.V(i, j))) continue;
      error += std::pow(imputed(i, j) - holes.scene.clean(i, j), 2);
      size += std::pow(holes.scene.clean(i, j), 2);
    }
  }
  return std::sqrt(error / size);
}

TEST(Missing, HiddenEntriesOfLowRankDataAreImputed) {
  const Holes holes(1500, 0.3);
  Settings settings = settings_for(Fast{});
  settings.forget = ForgetPolynomial{};
  settings.batch_size = 32;
  settings.epochs = 4;
  const auto model = Trainer<double>(settings).fit(holes.V).model;
  const auto encoding = model.encode(holes.V);
  // The mean of each feature alone leaves about 30 %, the noise about 3 %.
  EXPECT_LT(imputation_error(holes, model.reconstruct(encoding.H)), 0.08);
}

TEST(Missing, EveryAlgorithmAcceptsHoles) {
  const Holes holes(60, 0.2);
  for (const Algorithm& algorithm : with(all_algorithms(), &AlgorithmScope::missing)) {
    SCOPED_TRACE(name_of(algorithm));
    Collector<double> sink;
    FitOptions<double> options;
    options.sink = &sink;
    const auto model = Trainer<double>(settings_for(algorithm)).fit(holes.V, options).model;
    EXPECT_TRUE(model.W.allFinite());
    EXPECT_TRUE(model.A.allFinite());
    EXPECT_TRUE(model.B.allFinite());
    EXPECT_TRUE(std::isfinite(model.c));
    EXPECT_TRUE(sink.H.allFinite());
    EXPECT_TRUE(sink.R.allFinite());
    EXPECT_TRUE(is_feasible(model.settings, model.W, 1e-9));
  }
}

TEST(Missing, OutliersAreReportedAsZeroThere) {
  Holes holes(60, 0.2);
  for (Index j = 0; j < holes.V.cols(); ++j) holes.V(j % 30, j) += 3;
  Collector<double> sink;
  FitOptions<double> options;
  options.sink = &sink;
  const auto model = Trainer<double>(settings_for(Fast{})).fit(holes.V, options).model;
  const auto encoding = model.encode(holes.V);
  const auto hidden = holes.V.array().isNaN();
  EXPECT_EQ(hidden.select(encoding.R, 0.0).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(hidden.select(sink.R, 0.0).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(encoding.R.cwiseAbs().maxCoeff(), 1);
}

TEST(Missing, ASampleWithNothingObservedIsHarmless) {
  Holes holes(40, 0.1);
  holes.V.col(7).setConstant(nan);
  for (const Algorithm& algorithm : with(all_algorithms(), &AlgorithmScope::missing)) {
    SCOPED_TRACE(name_of(algorithm));
    const auto model = Trainer<double>(settings_for(algorithm)).fit(holes.V).model;
    EXPECT_TRUE(model.W.allFinite());
    EXPECT_TRUE(std::isfinite(model.surrogate()));
    const auto encoding = model.encode(holes.V.col(7));
    EXPECT_TRUE(encoding.H.allFinite());
    EXPECT_EQ(encoding.R.norm(), 0);
  }
}

// With nothing observed, `fast` has no reason to use any atom.
TEST(Missing, ASampleWithNothingObservedDoesNotMoveTheDictionary) {
  const Holes holes(64, 0);
  Settings settings = settings_for(Fast{.iterations = 300, .tolerance = 1e-10, .sweeps = 200});
  Trainer<double> trainer(settings);
  trainer.partial_fit(holes.V);
  const Matrix<double> before = trainer.model().W;
  trainer.partial_fit(Matrix<double>::Constant(30, 1, nan));
  EXPECT_LT((trainer.model().W - before).norm(), 1e-3);
}

TEST(Missing, WithoutHolesTheSettingChangesNothing) {
  const Holes holes(40, 0);
  Settings settings = settings_for(Fast{});
  const auto with = Trainer<double>(settings).fit(holes.V).model;
  settings.missing = false;
  EXPECT_TRUE(learned_bytes_of(Trainer<double>(settings).fit(holes.V).model) ==
              learned_bytes_of(with));
}

// The loss counts observed entries only: hiding an entry cannot make a sample cost more.
TEST(Missing, TheLossIsThatOfTheObservedEntries) {
  const Holes holes(40, 0);
  const auto model = Trainer<double>(settings_for(Fast{})).fit(holes.V).model;
  const EncodeOptions accurate{.tolerance = 1e-9, .iterations = 20000};
  const auto whole = model.encode(holes.V, accurate);
  Matrix<double> hidden = holes.V;
  hidden.topRows(10).setConstant(nan);
  const auto part = model.encode(hidden, accurate);
  for (Index j = 0; j < 40; ++j) {
    EXPECT_LE(part.loss[j], whole.loss[j] + 1e-9);
    Matrix<double> residual = hidden.col(j) - model.W * part.H.col(j) - part.R.col(j);
    const double fit = residual.bottomRows(20).squaredNorm() / 2;
    EXPECT_NEAR(part.loss[j], fit + 0.1 * part.R.col(j).lpNorm<1>(), 1e-9);
  }
}

}  // namespace
}  // namespace tamis::test
