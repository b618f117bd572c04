// Parts that were planted are found again in spite of gross errors, and the outlier term is why.
#include <gtest/gtest.h>

#include <limits>

#include "support/scene.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

struct Quality {
  double similarity = 0;  // mean cosine of the true atoms with their partners
  double psnr = 0;        // of WH against the clean data
};

constexpr double no_outliers = std::numeric_limits<double>::infinity();

Settings with_lambda(Settings settings, double lambda) {
  settings.lambda = LambdaValue{lambda};
  return settings;
}

Quality learn(const Matrix<float>& V, const Matrix<float>& clean, const Matrix<float>& atoms,
              const std::vector<Index>& ignored_rows, const Settings& settings) {
  const FitResult<float> fit = Trainer<float>(settings).fit(V);
  EXPECT_EQ(fit.status, Status::completed) << fit.message;
  const Encoding<float> encoding = fit.model.encode(V, {.tolerance = 1e-3, .iterations = 30});
  return {match_atoms<float>(atoms, fit.model.W, ignored_rows).mean(),
          psnr<float>(clean, fit.model.reconstruct(encoding.H))};
}

class PlantedParts : public testing::TestWithParam<std::uint64_t> {
 protected:
  // The worst of the study's settings: nine of ten samples have three of ten entries spoiled.
  const Planted<float> data = parts<float>({.nu = 0.9, .nu_tilde = 0.3, .seed = GetParam()});

  Settings settings(const Algorithm& algorithm) const {
    Settings s;
    s.rank = data.W.cols();
    s.algorithm = algorithm;
    s.seed = GetParam();
    return s;
  }

  // The published solvers average over all codes there ever were, also the first, bad ones; with
  // forgetting and a second pass they find the parts too.
  Settings published(const Algorithm& algorithm) const {
    Settings s = settings(algorithm);
    s.forget = ForgetPolynomial{};
    s.batch_size = 16;
    s.epochs = 2;
    return s;
  }

  Quality learn(const Settings& settings) const {
    return tamis::learn(data.V, data.clean, data.W, {}, settings);
  }
};

constexpr OnlineStopping accurate{
    .tolerance = 1e-6, .iterations = 500, .update_tolerance = 1e-6, .update_iterations = 500};

TEST_P(PlantedParts, AreRecoveredByFast) {
  const Quality with = learn(settings(Fast{}));
  EXPECT_GT(with.similarity, 0.98);
  EXPECT_GT(with.psnr, 35);

  const Quality without = learn(with_lambda(settings(Fast{}), no_outliers));
  EXPECT_LT(without.similarity, with.similarity - 0.03);
  EXPECT_LT(without.psnr, with.psnr - 10);
}

TEST_P(PlantedParts, AreRecoveredByOpgd) {
  EXPECT_GT(learn(published(Opgd{.stopping = accurate})).similarity, 0.98);
}

TEST_P(PlantedParts, AreRecoveredByOadmm) {
  EXPECT_GT(learn(published(Oadmm{.stopping = accurate})).similarity, 0.98);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlantedParts, testing::Values(1, 2, 3));

// The set of the demo: faint figures, and in every picture every fifth pixel is black or white. An
// error is three times as large as what it hides, and squares make that nine times.
TEST(SwimmerRecovery, LimbsAreFoundBecauseOfTheOutlierTerm) {
  if (test::low_effort()) GTEST_SKIP() << "needs thousands of pictures";
  const Swimmer<float> figures = swimmer<float>();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Matrix<float> clean = 0.3F * replicate<float>(figures.images, 20, seed);
    const Matrix<float> V = corrupt<float>(clean, {.nu = 1,
                                                   .nu_tilde = 0.2,
                                                   .noise = 0.02,
                                                   .kind = OutlierKind::salt_and_pepper,
                                                   .seed = seed})
                                .V;
    Settings settings;
    settings.rank = 20;  // 16 limbs, and a few for torso and background
    settings.seed = seed;
    const auto quality = [&](const Settings& s) {
      return learn(V, clean, figures.limbs, figures.torso, s);
    };
    const Quality with = quality(settings);
    EXPECT_GT(with.similarity, 0.97);
    EXPECT_GT(with.psnr, 28);

    const Quality without = quality(with_lambda(settings, no_outliers));
    EXPECT_LT(without.similarity, 0.8);
    EXPECT_LT(without.psnr, with.psnr - 8);
  }
}

}  // namespace
}  // namespace tamis
