#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "tamis/error.hpp"
#include "tamis/generate/corrupt.hpp"
#include "tamis/generate/parts.hpp"
#include "tamis/generate/swimmer.hpp"
#include "tamis/generate/synthetic.hpp"

namespace tamis {
namespace {

template <class T>
double standard_deviation(const Matrix<T>& X) {
  const Matrix<double>& Y = X.template cast<double>();
  return std::sqrt((Y.array() - Y.mean()).square().mean());
}

template <class T>
Index contaminated_columns(const Matrix<T>& R) {
  return (R.array() != T(0)).colwise().any().count();
}

TEST(Synthetic, HasTheStatisticsOfTheStudy) {
  const Planted<double> data = synthetic<double>();
  EXPECT_EQ(data.V.rows(), 400);
  EXPECT_EQ(data.V.cols(), 1000);
  EXPECT_NEAR(data.clean.mean(), 2 / M_PI, 0.02);  // K·E|N|²/K
  EXPECT_NEAR(standard_deviation(data.clean), 0.11, 0.01);
  EXPECT_NEAR(data.W.mean(), std::sqrt(2 / M_PI / 49), 0.003);
  EXPECT_GE(data.W.minCoeff(), 0);
  EXPECT_GE(data.H.minCoeff(), 0);
  EXPECT_LE((data.clean - (data.W * data.H).cwiseMin(1)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GE(data.V.minCoeff(), 0);
  EXPECT_LE(data.V.maxCoeff(), 1);
}

TEST(Synthetic, HasExactlyTheOutliersAskedFor) {
  const Planted<float> data =
      synthetic<float>({.F = 90, .K = 4, .N = 101, .nu = 0.8, .nu_tilde = 0.2});
  EXPECT_EQ(contaminated_columns(data.R), 80);
  EXPECT_EQ((data.R.array() != 0.f).count(), 80 * 18);
  for (Index j = 0; j < 101; ++j) {
    const Index count = (data.R.col(j).array() != 0.f).count();
    EXPECT_TRUE(count == 0 || count == 18) << count;
  }
  EXPECT_LE(data.R.cwiseAbs().maxCoeff(), 1);
}

TEST(Synthetic, DependsOnTheSeedAlone) {
  const SyntheticOptions options{.F = 30, .K = 3, .N = 40, .seed = 5};
  SyntheticOptions other = options;
  other.seed = 6;
  EXPECT_EQ(synthetic<float>(options).V, synthetic<float>(options).V);
  EXPECT_NE(synthetic<float>(options).V, synthetic<float>(other).V);
}

TEST(Synthetic, ColumnsDoNotDependOnHowManyFollow) {
  const Planted<double> few = synthetic<double>({.F = 30, .K = 3, .N = 40});
  const Planted<double> many = synthetic<double>({.F = 30, .K = 3, .N = 80});
  EXPECT_EQ(few.W, many.W);
  EXPECT_EQ(few.H, many.H.leftCols(40));
}

TEST(Synthetic, RefusesImpossibleOptions) {
  EXPECT_THROW(synthetic<float>({.F = 0}), SettingsError);
  EXPECT_THROW(synthetic<float>({.K = 0}), SettingsError);
  EXPECT_THROW(synthetic<float>({.nu = 1.1}), SettingsError);
  EXPECT_THROW(synthetic<float>({.noise = -1}), SettingsError);
}

TEST(Corrupt, ChangesOnlyWhatItReports) {
  const Matrix<double> clean = Matrix<double>::Constant(50, 40, 0.5);
  const auto [V, R] = corrupt<double>(clean, {.nu = 0.5, .nu_tilde = 0.3});
  EXPECT_EQ(contaminated_columns(R), 20);
  EXPECT_EQ((R.array() != 0).count(), 20 * 15);
  EXPECT_EQ(V, (clean + R).cwiseMax(0).cwiseMin(1));
}

TEST(Corrupt, AddsUniformValuesAtUniformPlaces) {
  const Matrix<double> clean = Matrix<double>::Constant(100, 2000, 0.5);
  const Matrix<double> R = corrupt<double>(clean, {.nu = 1, .nu_tilde = 0.2}).R;
  EXPECT_EQ((R.array() != 0).count(), 2000 * 20);
  EXPECT_NEAR(R.sum() / (2000 * 20), 0, 0.01);
  EXPECT_NEAR(R.squaredNorm() / (2000 * 20), 1. / 3, 0.01);
  for (Index i = 0; i < 100; ++i)  // 400 ± 18 per row
    EXPECT_NEAR(double((R.row(i).array() != 0).count()), 400, 90);
}

TEST(Corrupt, SaltAndPepperLeavesOnlyBlackAndWhite) {
  const Matrix<double> clean = Matrix<double>::Constant(100, 200, 0.25);
  const auto [V, R] =
      corrupt<double>(clean, {.nu = 1, .nu_tilde = 0.4, .kind = OutlierKind::salt_and_pepper});
  EXPECT_EQ(V, clean + R);
  EXPECT_EQ((V.array() == 0.25).count(), 200 * 60);
  EXPECT_EQ((V.array() == 0 || V.array() == 1).count(), 200 * 40);
  EXPECT_NEAR(double((V.array() == 1).count()), 200 * 20, 200);
}

TEST(Corrupt, AddsNoiseWhenAsked) {
  const Matrix<double> clean = Matrix<double>::Constant(100, 200, 0.5);
  const auto [V, R] = corrupt<double>(clean, {.nu = 0, .noise = 0.05});
  EXPECT_EQ(R.cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(standard_deviation(V), 0.05, 0.002);
}

TEST(Corrupt, CountsExactlyWhereBinaryFractionsFallShort) {
  const Matrix<float> clean = Matrix<float>::Zero(100, 100);  // 0.29·100 < 29 in binary
  const Matrix<float> R = corrupt<float>(clean, {.nu = 0.29, .nu_tilde = 0.57}).R;
  EXPECT_EQ(contaminated_columns(R), 29);
  EXPECT_EQ((R.array() != 0.f).count(), 29 * 57);
}

TEST(Corrupt, WantsDataBetweenZeroAndOne) {
  Matrix<float> clean = Matrix<float>::Constant(3, 3, 2);
  EXPECT_THROW(corrupt<float>(clean), DataError);
  clean.setConstant(std::numeric_limits<float>::quiet_NaN());
  EXPECT_THROW(corrupt<float>(clean), DataError);
}

TEST(Parts, EveryPartHasFeaturesAndSamplesOfItsOwn) {
  const PartsOptions options{.F = 60, .K = 6, .N = 500};
  const Planted<double> data = parts<double>(options);
  const auto present = data.W.array() > 0;
  for (Index k = 0; k < options.K; ++k) {
    Index own = 0;
    for (Index i = 0; i < options.F; ++i) own += present(i, k) && present.row(i).count() == 1;
    EXPECT_GE(own, 5);
    EXPECT_GT((data.H.row(k).array() > 0).count(), 100);
    EXPECT_GT((data.H.row(k).array() == 0).count(), 250);
  }
  EXPECT_LE((data.clean - data.W * data.H).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(data.clean.maxCoeff(), 1, 1e-12);
  EXPECT_EQ(contaminated_columns(data.R), 350);
  EXPECT_EQ(data.V, parts<double>(options).V);
  EXPECT_THROW(parts<double>({.F = 5, .K = 6}), SettingsError);
}

TEST(Swimmer, Has256DifferentFigures) {
  const Swimmer<float> data = swimmer<float>();
  ASSERT_EQ(data.images.rows(), data.height * data.width);
  ASSERT_EQ(data.images.cols(), 256);
  std::set<std::vector<float>> figures;
  for (Index n = 0; n < 256; ++n) {
    const auto image = data.images.col(n);
    EXPECT_TRUE((image.array() == 0.f || image.array() == 1.f).all());
    EXPECT_EQ(image.sum(), 12 + 4 * 6);
    figures.emplace(image.begin(), image.end());
  }
  EXPECT_EQ(figures.size(), 256u);
}

TEST(Swimmer, EveryFigureIsTheTorsoAndFourLimbs) {
  const Swimmer<double> data = swimmer<double>();
  ASSERT_EQ(data.limbs.cols(), 16);
  // No pixel belongs to two limbs or to a limb and the torso, so that sums are unions.
  Vector<double> all = data.limbs.rowwise().sum();
  for (const Index pixel : data.torso) all[pixel] += 1;
  EXPECT_EQ(all.maxCoeff(), 1);

  std::set<std::vector<Index>> poses;
  for (Index n = 0; n < 256; ++n) {
    Vector<double> expected = Vector<double>::Zero(data.images.rows());
    for (const Index pixel : data.torso) expected[pixel] = 1;
    std::vector<Index> pose;
    for (Index limb = 0; limb < 4; ++limb)
      for (Index position = 0; position < 4; ++position) {
        const auto atom = data.limbs.col(4 * limb + position);
        if (atom.dot(data.images.col(n)) == 0) continue;
        expected += atom;
        pose.push_back(position);
      }
    EXPECT_EQ(pose.size(), 4u);
    EXPECT_EQ(expected, data.images.col(n));
    poses.insert(pose);
  }
  EXPECT_EQ(poses.size(), 256u);
}

TEST(Replicate, RepeatsEveryColumnInAnotherOrder) {
  const Matrix<double> V = Vector<double>::LinSpaced(10, 1, 10).transpose();
  const Matrix<double> many = replicate<double>(V, 3, 1);
  ASSERT_EQ(many.cols(), 30);
  for (int value = 1; value <= 10; ++value) EXPECT_EQ((many.array() == value).count(), 3);
  EXPECT_EQ(many, replicate<double>(V, 3, 1));
  EXPECT_NE(many, replicate<double>(V, 3, 2));
  EXPECT_NE(many.leftCols(10), V);
  EXPECT_THROW(replicate<double>(V, 0), SettingsError);
}

}  // namespace
}  // namespace tamis
