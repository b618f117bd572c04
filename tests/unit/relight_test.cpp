// Cast shadows taken from pictures of one object.
#include "tamis/image/relight.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_data.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr Index side = 24;
const PictureSize size{side, side, 1};

// A bump under lights from many sides; in those from far to the left a block throws a shadow to the
// right, in those from the right to the left.
struct Bump {
  explicit Bump(Index pictures = 40) : clean(side * side, pictures), dark(side * side, pictures) {
    judge::RandomData random(3);
    dark.setZero();
    for (Index j = 0; j < pictures; ++j) {
      const double light = -1.2 + 2.4 * double(j) / double(std::max<Index>(1, pictures - 1));
      const double up = random.uniform(-0.3, 0.3);
      for (Index i = 0; i < side * side; ++i) {
        const Index column = i % side, row = i / side;
        const double x = 2 * double(column) / side - 1, y = 2 * double(row) / side - 1;
        clean(i, j) = std::max(0.1, 0.6 * std::cos(light) + 0.3 * x * std::sin(light) +
                                        0.2 * y * up + 0.05 * std::sin(double(7 * i)));
        const bool right = x > 0.1 && x < 0.5 && std::abs(y) < 0.3;
        const bool left = x < -0.1 && x > -0.5 && std::abs(y) < 0.3;
        if ((light < -0.7 && right) || (light > 0.7 && left)) dark(i, j) = 1;
      }
    }
    V = (dark.array() > 0).select(0.2 * clean, clean);
  }

  // Mean absolute error relative to the mean of the clean pixels
  double error_in_shadow(const Matrix<double>& X) const {
    return ((X - clean).array().abs() * dark.array()).sum() / (clean.array() * dark.array()).sum();
  }

  Matrix<double> clean, dark, V;
};

TEST(Relight, RemovesShadowsAndKeepsTheRest) {
  const Bump bump;
  const Relit<double> relit = relight<double>(bump.V, size);
  EXPECT_NEAR(bump.error_in_shadow(bump.V), 0.8, 1e-9);
  EXPECT_LT(bump.error_in_shadow(relit.pictures), 0.15);
  const auto lit = (bump.dark.array() == 0).cast<double>();
  EXPECT_LT(((relit.pictures - bump.V).array().abs() * lit).sum() / lit.sum(), 0.01);
  EXPECT_GE(relit.pictures.minCoeff(), 0);
  EXPECT_LE(relit.replaced.maxCoeff(), 1);
}

TEST(Relight, ReconstructionHasNothingOfThePictures) {
  const Bump bump;
  const Relit<double> relit = relight<double>(bump.V, size, {.reconstruction = true});
  EXPECT_LT((relit.pictures - relit.reconstruction).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Relight, EachPictureHasAScaleOfItsOwn) {
  const Bump bump;
  Vector<double> scales = Vector<double>::LinSpaced(bump.V.cols(), 1, 300);
  const Relit<double> one = relight<double>(bump.V, size);
  const Relit<double> other = relight<double>(bump.V * scales.asDiagonal(), size);
  const Matrix<double> back = other.pictures * scales.cwiseInverse().asDiagonal();
  EXPECT_LT((back - one.pictures).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Relight, FillsWhatIsMissing) {
  Bump bump;
  const Index pixel = 10;
  bump.V(pixel, 20) = std::nan("");
  const Relit<double> relit = relight<double>(bump.V, size);
  EXPECT_TRUE(relit.pictures.allFinite());
  EXPECT_NEAR(relit.pictures(pixel, 20), bump.clean(pixel, 20), 0.1);
}

TEST(Relight, FewPicturesAndBlackOnes) {
  for (const Index pictures : {1, 2, 5, 7})
    EXPECT_TRUE(relight<double>(Bump(pictures).V, size).pictures.allFinite()) << pictures;
  Bump bump(12);
  bump.V.col(4).setZero();
  const Relit<double> relit = relight<double>(bump.V, size);
  EXPECT_TRUE(relit.pictures.allFinite());
  EXPECT_EQ(relit.pictures.col(4).maxCoeff(), 0);
  const Matrix<double> black = Matrix<double>::Zero(9, 3);
  EXPECT_EQ(relight<double>(black, {3, 3, 1}).pictures, black);
  EXPECT_THROW(relight<double>(Matrix<double>(9, 0), {3, 3, 1}), DataError);
  EXPECT_THROW(relight<double>(black, {3, 2, 1}), DataError);
}

TEST(Relight, CanBeStopped) {
  RelightOptions options;
  options.progress = [](double share) { return share == 0; };
  EXPECT_THROW(relight<double>(Bump(8).V, size, options), Interrupted);
}

}  // namespace
}  // namespace tamis
