// The same input and seed give the same bits, however the work is cut up.
#include <gtest/gtest.h>

#include "sharing.hpp"
#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

template <class T>
class Determinism : public ::testing::Test {
 protected:
  // More rows than one row block and mini-batches of several column blocks, so that threads have
  // something to share.
  static Matrix<T> data() {
    return make_scene({.features = 530, .rank = 5, .samples = 90, .outlier_share = 0.1, .seed = 2})
        .V.template cast<T>();
  }

  static Settings settings(const Algorithm& algorithm) {
    Settings s = plain_settings(6, algorithm);
    s.batch_size = 40;
    return s;
  }

  static Model<T> fit(const Settings& settings, const Matrix<T>& V) {
    return Trainer<T>(settings).fit(V).model;
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Determinism, Scalars);

TYPED_TEST(Determinism, SameSeedGivesTheSameBits) {
  const auto V = this->data();
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = this->settings(algorithm);
    EXPECT_TRUE(bytes_of(this->fit(settings, V)) == bytes_of(this->fit(settings, V)));
  }
}

TYPED_TEST(Determinism, AnyNumberOfThreadsGivesTheSameBits) {
  const auto V = this->data();
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = this->settings(algorithm);
    const auto serial = this->fit(settings, V);
    for (const Index threads : {2, 3, 4}) {
      SCOPED_TRACE(threads);
      settings.threads = threads;
      const auto parallel = this->fit(settings, V);
      EXPECT_TRUE(same_bits(parallel.W, serial.W));
      EXPECT_TRUE(same_bits(parallel.A, serial.A));
      EXPECT_TRUE(same_bits(parallel.B, serial.B));
      EXPECT_TRUE(learned_bytes_of(parallel) == learned_bytes_of(serial));
    }
  }
}

// Also with everything that `fast` does on its own: λ from the noise, forgetting, new atoms for
// dead ones.
TYPED_TEST(Determinism, AnyNumberOfThreadsGivesTheSameBitsByDefault) {
  const auto V = this->data();
  Settings settings;
  settings.rank = 12;
  settings.epochs = 2;
  settings.shuffle = true;
  settings.threads = 1;
  const auto serial = this->fit(settings, V);
  for (const Index threads : {2, 3, 4}) {
    SCOPED_TRACE(threads);
    settings.threads = threads;
    EXPECT_TRUE(learned_bytes_of(this->fit(settings, V)) == learned_bytes_of(serial));
  }
}

// Loops over few rows are shared in some mini-batches and not in others.
TYPED_TEST(Determinism, AnyNumberOfThreadsGivesTheSameBitsInManyMiniBatches) {
  const auto V = this->data();
  Settings settings;
  settings.rank = 5;
  settings.batch_size = 3;
  settings.threads = 1;
  ASSERT_GT(V.cols() / settings.batch_size.value(), 2 * Sharing::trial);
  const auto serial = this->fit(settings, V);
  settings.threads = 2;
  EXPECT_TRUE(learned_bytes_of(this->fit(settings, V)) == learned_bytes_of(serial));
}

TYPED_TEST(Determinism, DifferentSeedsDiffer) {
  const auto V = this->data();
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = this->settings(algorithm);
    const auto first = this->fit(settings, V);
    settings.seed += 1;
    EXPECT_FALSE(same_bits(this->fit(settings, V).W, first.W));
  }
}

TYPED_TEST(Determinism, PartialFitOfTheBatchesEqualsOneFit) {
  const auto V = this->data();
  for (const Algorithm& algorithm : online_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = this->settings(algorithm);
    const auto whole = this->fit(settings, V);
    Trainer<TypeParam> pieces(settings);
    for (Index first = 0; first < V.cols(); first += 40) {
      pieces.partial_fit(V.middleCols(first, std::min<Index>(40, V.cols() - first)));
    }
    EXPECT_TRUE(same_bits(pieces.model().W, whole.W));
    EXPECT_TRUE(same_bits(pieces.model().A, whole.A));
    EXPECT_TRUE(same_bits(pieces.model().B, whole.B));
    EXPECT_EQ(pieces.model().c, whole.c);
    EXPECT_EQ(pieces.model().samples, whole.samples);
    EXPECT_EQ(pieces.model().batches, whole.batches);
  }
}

TYPED_TEST(Determinism, PartialFitOfTheBatchesEqualsOneFitByDefault) {
  const auto V = this->data();
  Settings settings;
  settings.rank = 6;
  settings.batch_size = 30;
  const auto whole = this->fit(settings, V);
  Trainer<TypeParam> pieces(settings);
  for (Index first = 0; first < V.cols(); first += 30) pieces.partial_fit(V.middleCols(first, 30));
  EXPECT_TRUE(same_bits(pieces.model().W, whole.W));
  EXPECT_EQ(pieces.model().lambda, whole.lambda);
  EXPECT_EQ(pieces.model().sigma, whole.sigma);
}

// A view with a stride is read like a copy of it.
TYPED_TEST(Determinism, ABlockOfALargerMatrixIsReadLikeACopy) {
  const auto V = this->data();
  const Settings settings = this->settings(Fast{});
  const Matrix<TypeParam> copy = V.topRows(100);
  EXPECT_TRUE(same_bits(Trainer<TypeParam>(settings).fit(V.topRows(100)).model.W,
                        Trainer<TypeParam>(settings).fit(copy).model.W));
}

}  // namespace
}  // namespace tamis::test
