// The street: what is written about it holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tamis/generate/scene.hpp"
#include "tamis/tamis.hpp"

namespace {

using namespace tamis;

TEST(StreetScene, FramesDependOnNothingButTheirNumber) {
  const Street street;
  const auto late = street.frame<double>(200), early = street.frame<double>(3);
  const Street again;
  EXPECT_EQ(again.frame<double>(3).V, early.V);
  EXPECT_EQ(again.frame<double>(200).V, late.V);
  EXPECT_EQ(again.frame<double>(200).mask, late.mask);
  EXPECT_NE(Street({.seed = 1}).frame<double>(3).V, early.V);
  EXPECT_LT((again.frame<float>(3).V.cast<double>() - early.V).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(StreetScene, ValuesAreInRange) {
  const Street street({.noise = 0.3, .lighting = 1});
  for (Index i = 0; i < 300; i += 30) {
    const auto frame = street.frame<float>(i);
    EXPECT_EQ(frame.V.size(), 120 * 160);
    EXPECT_GE(frame.V.minCoeff(), 0);
    EXPECT_LE(frame.V.maxCoeff(), 1);
    EXPECT_GT(frame.background.minCoeff(), 0);
    EXPECT_LT(frame.background.maxCoeff(), 1);
    EXPECT_TRUE((frame.mask.array() == 0 || frame.mask.array() == 1).all());
  }
}

TEST(StreetScene, TheMaskIsWhereObjectsAre) {
  const Street street({.objects = 5, .noise = 0});
  double covered = 0;
  for (Index i = 0; i < 300; i += 10) {
    const auto frame = street.frame<double>(i);
    for (Index p = 0; p < street.pixels(); ++p) {
      const double difference = std::abs(frame.V[p] - frame.background[p]);
      if (frame.mask[p] == 1) {
        ASSERT_GT(difference, 0.04) << "frame " << i << " pixel " << p;
      } else {
        ASSERT_EQ(difference, 0) << "frame " << i << " pixel " << p;
      }
    }
    covered += frame.mask.mean() / 30;
  }
  EXPECT_GT(covered, 0.02);
  EXPECT_LT(covered, 0.3);
  EXPECT_EQ(Street({.objects = 0}).frame<double>(0).mask.maxCoeff(), 0);
}

TEST(StreetScene, TheBackgroundOnlyChangesItsLight) {
  const Street street;
  const Vector<double> first = street.frame<double>(0).background / street.light(0);
  EXPECT_GE(first.minCoeff(), 0.15);
  EXPECT_LE(first.maxCoeff(), 0.65);
  double slowest = 1, largest = 0;
  for (Index i = 0; i < 300; ++i) {
    if (i % 20 == 0) {
      const auto frame = street.frame<double>(i);
      EXPECT_LT((frame.background - street.light(i) * first).cwiseAbs().maxCoeff(), 1e-12);
    }
    if (i == 0) continue;
    const double change = std::abs(street.light(i) / street.light(i - 1) - 1);
    slowest = std::min(slowest, change);
    EXPECT_TRUE(change < 0.05 || i == 180) << i;  // the step
    largest = std::max(largest, change);
  }
  EXPECT_NEAR(largest, 0.15, 0.01);
  EXPECT_LT(slowest, 1e-3);
  const Street steady({.lighting = 0});
  EXPECT_EQ(steady.frame<double>(0).background, steady.frame<double>(299).background);
}

TEST(StreetScene, TheNoiseHasItsSize) {
  const Street street({.objects = 0, .noise = 0.02, .lighting = 0});
  const auto a = street.frame<double>(10), b = street.frame<double>(11);
  const Vector<double> noise = a.V - a.background;
  EXPECT_NEAR(std::sqrt(noise.squaredNorm() / double(noise.size())), 0.02, 0.001);
  EXPECT_LT(std::abs(noise.dot(b.V - b.background)) / noise.squaredNorm(), 0.05);
}

TEST(StreetScene, TheStreetHasTexture) {
  const auto frame = Street({.objects = 0}).frame<double>(0);
  const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> image(
      frame.background.data(), 120, 160);
  const double mean = image.mean();
  EXPECT_GT(std::sqrt((image.array() - mean).square().mean()), 0.05);
  EXPECT_GT((image.rightCols(159) - image.leftCols(159)).cwiseAbs().mean(), 0.005);
}

// Columns that the object covers, or −1
struct Extent {
  Index left = -1, right = -1;
};
Extent extent_of(const StreetFrame<double>& frame, Index width) {
  Extent extent;
  for (Index p = 0; p < frame.mask.size(); ++p) {
    if (frame.mask[p] == 0) continue;
    const Index column = p % width;
    extent.left = extent.left < 0 ? column : std::min(extent.left, column);
    extent.right = std::max(extent.right, column);
  }
  return extent;
}

TEST(StreetScene, ObjectsCrossThePictureAndLeaveIt) {
  const Street street({.objects = 1, .noise = 0});
  Index moved = 0, partly = 0, away = 0;
  Extent before = extent_of(street.frame<double>(0), 160);
  for (Index i = 1; i < 300; ++i) {
    const Extent now = extent_of(street.frame<double>(i), 160);
    moved += now.left != before.left || now.right != before.right;
    partly += now.left == 0 || now.right == 159;
    away += now.left < 0;
    before = now;
  }
  EXPECT_GT(moved, 200);  // a car that does not stop
  EXPECT_GT(partly, 5);
  EXPECT_GT(away + partly, 10);
}

TEST(StreetScene, SomeStopForAWhile) {
  // The second object stops: take the first away from the masks of both.
  const Street one({.frames = 600, .objects = 1, .noise = 0, .lighting = 0});
  const Street two({.frames = 600, .objects = 2, .noise = 0, .lighting = 0});
  Index still = 0, longest = 0, moved = 0;
  Vector<double> before;
  for (Index i = 0; i < 600; ++i) {
    const auto frame = two.frame<double>(i);
    const Vector<double> mask = (frame.V - one.frame<double>(i).V).cwiseAbs();
    const bool visible = mask.maxCoeff() > 0;
    still = visible && before.size() > 0 && mask == before ? still + 1 : 0;
    moved += visible && still == 0;
    longest = std::max(longest, still);
    before = mask;
  }
  EXPECT_GE(longest, 20);
  EXPECT_GT(moved, 50);
}

TEST(StreetScene, OptionsAreChecked) {
  EXPECT_THROW(Street({.height = 3}), SettingsError);
  EXPECT_THROW(Street({.width = 0}), SettingsError);
  EXPECT_THROW(Street({.frames = 0}), SettingsError);
  EXPECT_THROW(Street({.objects = -1}), SettingsError);
  EXPECT_THROW(Street({.noise = std::nan("")}), SettingsError);
  EXPECT_THROW(Street({.lighting = 1.5}), SettingsError);
  EXPECT_THROW(Street().frame<float>(300), SettingsError);
  EXPECT_THROW(Street().frame<float>(-1), SettingsError);
  EXPECT_EQ(Street({.height = 17, .width = 16, .objects = 20}).frame<float>(5).V.size(), 272);
}

}  // namespace
