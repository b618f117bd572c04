// Masks and pictures against a truth, counted and computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random_data.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

// Two frames of six pixels, in the labels of changedetection.net
TEST(MaskCount, IsThatOfAHandComputedCase) {
  Matrix<double> labels(6, 2), mask(6, 2);
  labels.col(0) << 255, 255, 0, 50, 85, 170;
  mask.col(0) << 255, 0, 255, 255, 255, 255;  // TP, FN, FP, FP, -, -
  labels.col(1) << 255, 255, 255, 0, 0, 50;
  mask.col(1) << 255, 255, 0, 0, 0, 0;  // TP, TP, FN, TN, TN, TN
  MaskCount count;
  for (Index j = 0; j < 2; ++j) count.add<double>(labels.col(j) / 255, mask.col(j) / 255);
  EXPECT_EQ(count.tp, 3);
  EXPECT_EQ(count.fn, 2);
  EXPECT_EQ(count.fp, 2);
  EXPECT_EQ(count.tn, 3);
  EXPECT_EQ(count.ignored, 2);
  const MaskScore score = count.score();
  EXPECT_DOUBLE_EQ(score.precision, 0.6);
  EXPECT_DOUBLE_EQ(score.recall, 0.6);
  EXPECT_DOUBLE_EQ(score.f, 0.6);
  EXPECT_DOUBLE_EQ(score.pbc, 40);
}

TEST(MaskCount, NothingReportedOrNothingThere) {
  MaskCount nothing_reported;
  nothing_reported.add<float>(Matrix<float>::Constant(2, 1, 1), Matrix<float>::Zero(2, 1));
  EXPECT_EQ(nothing_reported.score().recall, 0);
  EXPECT_EQ(nothing_reported.score().f, 0);
  EXPECT_EQ(nothing_reported.score().pbc, 100);
  MaskCount nothing_there;
  nothing_there.add<float>(Matrix<float>::Zero(2, 1), Matrix<float>::Zero(2, 1));
  EXPECT_EQ(nothing_there.score().f, 1);
  EXPECT_EQ(nothing_there.score().pbc, 0);
}

TEST(MaskCount, RefusesOtherLabelsAndShapes) {
  MaskCount count;
  const Matrix<double> mask = Matrix<double>::Zero(1, 1);
  EXPECT_THROW(count.add<double>(Matrix<double>::Constant(1, 1, 100. / 255), mask), DataError);
  EXPECT_THROW(count.add<double>(Matrix<double>::Constant(1, 1, 255), mask), DataError);
  EXPECT_THROW(count.add<double>(Matrix<double>::Constant(1, 1, std::nan("")), mask), DataError);
  EXPECT_THROW(count.add<double>(Matrix<double>::Zero(2, 1), mask), DataError);
  EXPECT_THROW((void)count.score(), DataError) << "nothing counts";
}

// The formula, with the window written out
double ssim_by_definition(const Matrix<double>& x, const Matrix<double>& y) {
  constexpr Index n = 11;
  Matrix<double> window(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      window(i, j) = std::exp(-double((i - 5) * (i - 5) + (j - 5) * (j - 5)) / (2 * 1.5 * 1.5));
  window /= window.sum();
  double sum = 0;
  for (Index i = 0; i + n <= x.rows(); ++i)
    for (Index j = 0; j + n <= x.cols(); ++j) {
      const auto a = x.block(i, j, n, n).array(), b = y.block(i, j, n, n).array();
      const auto w = window.array();
      const double ma = (w * a).sum(), mb = (w * b).sum();
      const double va = (w * (a - ma).square()).sum(), vb = (w * (b - mb).square()).sum();
      const double vab = (w * (a - ma) * (b - mb)).sum();
      sum +=
          (2 * ma * mb + 1e-4) * (2 * vab + 9e-4) / ((ma * ma + mb * mb + 1e-4) * (va + vb + 9e-4));
    }
  return sum / double((x.rows() - n + 1) * (x.cols() - n + 1));
}

TEST(Ssim, IsTheFormula) {
  judge::RandomData random(1);
  Matrix<double> x(15, 20), y(15, 20);
  for (Index i = 0; i < x.size(); ++i) {
    x.data()[i] = random.uniform(0, 1);
    y.data()[i] = 0.7 * x.data()[i] + random.uniform(0, 0.3);
  }
  // Pixels of a sample are row by row.
  const Matrix<double> a = x.transpose(), b = y.transpose();
  EXPECT_NEAR(ssim(a.reshaped(), b.reshaped(), {15, 20}), ssim_by_definition(x, y), 1e-12);
  EXPECT_DOUBLE_EQ(ssim(a.reshaped(), a.reshaped(), {15, 20}), 1);
}

TEST(Ssim, OfColoursIsTheMeanOfTheChannels) {
  judge::RandomData random(2);
  Matrix<double> x(3, 12 * 13), y(3, 12 * 13);  // channel × pixel
  for (Index i = 0; i < x.size(); ++i) {
    x.data()[i] = random.uniform(0, 1);
    y.data()[i] = random.uniform(0, 1);
  }
  double mean = 0;
  for (Index c = 0; c < 3; ++c) {
    const Vector<double> a = x.row(c), b = y.row(c);
    mean += ssim(a, b, {12, 13}) / 3;
  }
  EXPECT_NEAR(ssim(x.reshaped(), y.reshaped(), {12, 13, 3}), mean, 1e-12);
}

TEST(Ssim, RefusesWhatIsNoPictureOrTooSmall) {
  const Vector<double> x = Vector<double>::Zero(110);
  EXPECT_THROW(ssim(x, x, {10, 11}), DataError);
  EXPECT_THROW(ssim(x, x, {110}), DataError);
  EXPECT_THROW(ssim(x, x.head(100), {11, 10}), DataError);
}

TEST(Light, AngleFromTheCamerasAxis) {
  EXPECT_NEAR(angle_of({0, 0}), 0, 1e-6);
  EXPECT_NEAR(angle_of({-35, 0}), 35, 1e-9);
  EXPECT_NEAR(angle_of({0, 40}), 40, 1e-9);
  EXPECT_NEAR(angle_of({90, 20}), 90, 1e-9);
  EXPECT_NEAR(angle_of({60, 60}), std::acos(0.25) * 180 / std::numbers::pi, 1e-9);
}

// A flat object: from the front it is as bright as the light, from the side its last quarter is
// in shadow.
class FlatObject : public testing::Test {
 protected:
  FlatObject() : V(Matrix<float>::Constant(64, 5, 1)) { V.col(3).tail(16).setConstant(0.2F); }

  Matrix<float> V;
  std::vector<Light> lights = {{0, 0}, {10, 0}, {0, 10}, {60, 0}, {100, 0}};
};

TEST_F(FlatObject, ErrorsAreThoseOfThePixels) {
  const ShadowJudge judge(V, {8, 8}, lights);
  EXPECT_EQ(judge.judged(), std::vector<Index>{3}) << "100 degrees is too far";
  const ShadowScore as_it_was = judge.measure(V);
  // Of Huber's loss the 48 lit pixels, on the parabola, balance the 16 in shadow, on the slope.
  const double reference = 1 - 0.05 * 16 / 48;
  EXPECT_NEAR(as_it_was.shadow_error, 255 * (reference - 0.2), 0.2);
  EXPECT_EQ(as_it_was.shadow_error, as_it_was.shadow_error_input);
  EXPECT_EQ(as_it_was.lit_change, 0);
  EXPECT_EQ(as_it_was.artefacts, 0);
  Matrix<float> X = Matrix<float>::Constant(64, 5, 0.9F);
  const ShadowScore removed = judge.measure(X);
  EXPECT_NEAR(removed.shadow_error, 255 * (reference - 0.9), 0.2);
  EXPECT_NEAR(removed.lit_change, 255 * 0.1, 1e-3);
  EXPECT_NEAR(removed.shadow_error_input, as_it_was.shadow_error, 1e-9);
}

TEST_F(FlatObject, RefusesTooFewLightsAndOtherShapes) {
  EXPECT_THROW(ShadowJudge(V, {8, 8}, {{60, 0}, {60, 0}, {0, 0}, {60, 0}, {60, 0}}), DataError);
  EXPECT_THROW(ShadowJudge(V, {8, 8}, {{0, 0}}), DataError);
  EXPECT_THROW(ShadowJudge(V, {64}, lights), DataError);
}

}  // namespace
}  // namespace tamis
