// Patches, and photographs cleaned by them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random_data.hpp"
#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"
#include "tamis/image/photo.hpp"

namespace tamis {
namespace {

const double nan = std::nan("");

// Entry (row, column, channel) is 100·row + column + 0.1·channel.
Vector<double> numbered(const PictureSize& size) {
  Vector<double> picture(size.entries());
  Index i = 0;
  for (Index row = 0; row < size.height; ++row)
    for (Index column = 0; column < size.width; ++column)
      for (Index c = 0; c < size.channels; ++c)
        picture[i++] = 100 * double(row) + double(column) + 0.1 * double(c);
  return picture;
}

TEST(PatchGrid, HasThePixelsOfEveryPlace) {
  const PictureSize size{5, 7, 2};
  const PatchGrid grid(size, 3, 2);
  EXPECT_EQ(grid.patches(), 2 * 3) << "rows at 0, 2; columns at 0, 2, 4";
  EXPECT_EQ(grid.features(), 3 * 3 * 2);
  Matrix<double> V(grid.features(), 6);
  grid.extract<double>(numbered(size), 0, V);
  EXPECT_DOUBLE_EQ(V(0, 0), 0);
  EXPECT_DOUBLE_EQ(V(1, 0), 0.1) << "channels of a pixel are together";
  EXPECT_DOUBLE_EQ(V(2, 0), 1);
  EXPECT_DOUBLE_EQ(V(6, 0), 100) << "then comes the next row";
  EXPECT_DOUBLE_EQ(V(0, 5), 204) << "the last patch begins in row 2, column 4";
  EXPECT_DOUBLE_EQ(V(17, 5), 406.1) << "and ends in the corner";
  Matrix<double> some(grid.features(), 2);
  grid.extract<double>(numbered(size), std::vector<Index>{5, 1}, some);
  EXPECT_EQ(some.col(0), V.col(5));
  EXPECT_EQ(some.col(1), V.col(1));
}

TEST(PatchGrid, TheMeanOfItsOwnPatchesIsThePicture) {
  for (const PictureSize size : {PictureSize{9, 11, 1}, {8, 8, 3}, {3, 20, 1}, {1, 1, 1}})
    for (const Index stride : {1, 2, 5}) {
      const PatchGrid grid(size, 5, stride);
      const Vector<double> picture = numbered(size);
      Matrix<double> V(grid.features(), grid.patches());
      grid.extract<double>(picture, 0, V);
      Vector<double> sum = Vector<double>::Zero(size.entries());
      Vector<double> total = sum;
      grid.add<double>(V, 0, Vector<double>::LinSpaced(grid.patches(), 1, 2), sum, total);
      EXPECT_GT(total.minCoeff(), 0) << "a pixel is in no patch";
      EXPECT_LT((sum.cwiseQuotient(total) - picture).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(PatchGrid, RefusesGapsAndEmptyPictures) {
  EXPECT_THROW(PatchGrid({5, 5, 1}, 3, 4), SettingsError);
  EXPECT_THROW(PatchGrid({5, 5, 1}, 3, 0), SettingsError);
  EXPECT_THROW(PatchGrid({0, 5, 1}, 3, 1), DataError);
}

// Smooth shades and a few edges, some of its pixels replaced by anything.
struct Scene {
  explicit Scene(const PictureSize& given, double share, std::uint64_t seed = 1) : size(given) {
    judge::RandomData random(seed);
    clean.resize(size.entries());
    for (Index i = 0; i < clean.size(); ++i) {
      const Index pixel = i / size.channels;
      const Index row = pixel / size.width, column = pixel % size.width;
      clean[i] = 0.5 + 0.2 * std::sin(double(row) / 9) * std::cos(double(column) / 11) +
                 (double(column) > 0.4 * double(size.width) ? 0.2 : 0.0) -
                 0.05 * double(i % size.channels);
    }
    spoiled = clean;
    for (Index i = 0; i < clean.size(); ++i)
      if (random.uniform(0, 1) < share) spoiled[i] = random.uniform(0, 1);
  }

  double psnr_of(const Vector<double>& x) const { return psnr<double>(clean, x); }

  PictureSize size;
  Vector<double> clean, spoiled;
};

TEST(CleanPhoto, ReplacesErrorsAndKeepsTheRest) {
  for (const Index channels : {1, 3}) {
    const Scene scene({64, 80, channels}, 0.2);
    const CleanedPhoto<double> cleaned = clean_photo<double>(scene.spoiled, scene.size);
    EXPECT_GT(scene.psnr_of(cleaned.picture), scene.psnr_of(scene.spoiled) + 14) << channels;
    EXPECT_NEAR(cleaned.replaced_share(), 0.19, 0.04) << channels;
    for (Index i = 0; i < scene.clean.size(); ++i)
      ASSERT_EQ(cleaned.picture[i],
                cleaned.replaced[i] > 0 ? cleaned.reconstruction[i] : scene.spoiled[i]);
  }
}

TEST(CleanPhoto, LeavesAnIntactPictureAlone) {
  const Scene scene({64, 80, 1}, 0);
  const CleanedPhoto<double> cleaned = clean_photo<double>(scene.spoiled, scene.size);
  EXPECT_LT(cleaned.replaced_share(), 0.01);
  EXPECT_GT(scene.psnr_of(cleaned.picture), 45);
}

TEST(CleanPhoto, UnitsDoNotMatter) {
  const Scene scene({48, 48, 1}, 0.1);
  const CleanedPhoto<double> one = clean_photo<double>(scene.spoiled, scene.size);
  const CleanedPhoto<double> other = clean_photo<double>(4096 * scene.spoiled, scene.size);
  EXPECT_LT((one.picture - other.picture / 4096).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(CleanPhoto, FillsWhatIsMissing) {
  const Scene scene({64, 64, 1}, 0);
  Vector<double> holes = scene.clean;
  judge::RandomData random(5);
  for (Index i = 0; i < holes.size(); ++i)
    if (random.uniform(0, 1) < 0.3) holes[i] = nan;
  for (Index row = 20; row < 42; ++row) holes.segment(row * 64 + 30, 22).setConstant(nan);
  const CleanedPhoto<double> filled = clean_photo<double>(
      holes, scene.size, {.threshold = std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(filled.picture.allFinite()) << "also in the middle of a hole larger than a patch";
  EXPECT_GT(scene.psnr_of(filled.picture), 25);
  for (Index i = 0; i < holes.size(); ++i)
    ASSERT_EQ(filled.replaced[i], std::isnan(holes[i]) ? 1 : 0) << "only what is missing";
}

TEST(CleanPhoto, ThresholdAndReconstruction) {
  const Scene scene({40, 40, 1}, 0.1);
  const CleanedPhoto<double> cleaned =
      clean_photo<double>(scene.spoiled, scene.size, {.threshold = 0.1});
  for (Index i = 0; i < scene.clean.size(); ++i)
    ASSERT_EQ(cleaned.replaced[i] > 0,
              std::abs(scene.spoiled[i] - cleaned.reconstruction[i]) > 0.1 + 1e-12);
  const CleanedPhoto<double> whole =
      clean_photo<double>(scene.spoiled, scene.size, {.reconstruction = true});
  EXPECT_EQ(whole.picture, whole.reconstruction);
}

TEST(CleanPhoto, AnySize) {
  for (const PictureSize size :
       {PictureSize{1, 1, 1}, {1, 1, 3}, {5, 3, 1}, {7, 100, 1}, {31, 33, 3}, {8, 8, 1}}) {
    const Scene scene(size, 0.1);
    EXPECT_TRUE(clean_photo<double>(scene.spoiled, size).picture.allFinite())
        << size.height << "×" << size.width << "×" << size.channels;
  }
  const PictureSize size{20, 20, 1};
  for (const double value : {0.0, 1.0, 0.3}) {
    const Vector<double> flat = Vector<double>::Constant(size.entries(), value);
    EXPECT_EQ(clean_photo<double>(flat, size).picture, flat) << value;
  }
}

TEST(CleanPhoto, TheSameBitsForAnyNumberOfThreads) {
  const Scene scene({48, 64, 1}, 0.2);
  PhotoOptions one, two;
  one.settings.threads = one.encoding.threads = 1;
  two.settings.threads = two.encoding.threads = 2;
  EXPECT_EQ(clean_photo<double>(scene.spoiled, scene.size, one).picture,
            clean_photo<double>(scene.spoiled, scene.size, two).picture);
}

TEST(CleanPhoto, RefusesWhatIsNoPicture) {
  const PictureSize size{10, 10, 1};
  Vector<double> picture = Vector<double>::Ones(100);
  EXPECT_THROW(clean_photo<double>(picture.head(99), size), DataError);
  picture[3] = -1;
  EXPECT_THROW(clean_photo<double>(picture, size), DataError);
  picture[3] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(clean_photo<double>(picture, size), DataError);
  EXPECT_THROW(clean_photo<double>(Vector<double>::Constant(100, nan), size), DataError);
}

TEST(CleanPhoto, CanBeStopped) {
  const Scene scene({48, 48, 1}, 0.1);
  double told = 0;
  PhotoOptions options;
  options.progress = [&](double share) {
    EXPECT_GE(share, told);
    told = share;
    return true;
  };
  clean_photo<double>(scene.spoiled, scene.size, options);
  EXPECT_NEAR(told, 1, 1e-9);
  options.progress = [](double) { return false; };
  EXPECT_THROW(clean_photo<double>(scene.spoiled, scene.size, options), Interrupted);
}

}  // namespace
}  // namespace tamis
