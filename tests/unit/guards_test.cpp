// Calls that would read or write where they must not, or quietly do nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tamis/tamis.hpp"

namespace {

using namespace tamis;

Settings three_atoms(const Algorithm& algorithm = Fast{}) {
  Settings settings;
  settings.rank = 3;
  settings.algorithm = algorithm;
  return settings;
}

Matrix<double> samples(Index n) { return Matrix<double>::Random(8, n).cwiseAbs(); }

class StopAfter final : public Observer {
 public:
  explicit StopAfter(Index batches) : batches_(batches) {}
  bool on_batch(const Progress& progress) override { return progress.batches < batches_; }

 private:
  Index batches_;
};

TEST(Guards, ABatchFitIsNotResumedWithOtherSamples) {
  for (const Algorithm& algorithm : {Algorithm(Bpgd{}), Algorithm(Badmm{})}) {
    SCOPED_TRACE(name_of(algorithm));
    Trainer<double> trainer(three_atoms(algorithm));
    StopAfter stop(3);
    ASSERT_EQ(trainer.fit(samples(20), {.observer = &stop}).status, Status::interrupted);
    const Matrix<double> before = trainer.model().W;
    EXPECT_THROW(trainer.fit(samples(31), {.resume = true}), DataError);
    EXPECT_EQ(trainer.model().W, before);
  }
}

TEST(Guards, OptionsOfCallsAreChecked) {
  Trainer<double> trainer(three_atoms());
  EXPECT_THROW(trainer.fit(samples(20), {.checkpoint_every = 0}), SettingsError);
  trainer.fit(samples(20));
  EXPECT_THROW(trainer.model().encode(samples(2), {.tolerance = std::nan("")}), SettingsError);
  EXPECT_THROW(trainer.model().encode(samples(2), {.iterations = 0}), SettingsError);
}

TEST(Guards, AnEmptySourceIsRefusedAlsoWhenTrained) {
  Trainer<double> trainer(three_atoms());
  trainer.fit(samples(20));
  EXPECT_THROW(trainer.fit(Matrix<double>(8, 0)), DataError);
}

TEST(Guards, ASourceKeepsWhatEigenHasToCopy) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix<double> V = samples(20);
  const RowMajor by_rows = V;
  MatrixSource<double> source(by_rows);
  source.start({});
  SampleBlock<double> block;
  ASSERT_TRUE(source.read(20, block));
  EXPECT_EQ(block.V, V);
}

TEST(Guards, StatisticsThatOverflowAreNotAbsorbed) {
  // The loss of such samples is finite in double; their products are not in float.
  const Matrix<float> V = (samples(20) * 1e25).cast<float>();
  Settings settings = three_atoms();
  settings.lambda = LambdaValue{std::numeric_limits<double>::infinity()};
  Trainer<float> trainer(settings);
  EXPECT_EQ(trainer.partial_fit(V), Status::diverged);
  EXPECT_FALSE(trainer.model().trained());
  // Nothing was learned, so data of any other size may follow.
  EXPECT_EQ(trainer.partial_fit(Matrix<float>::Ones(5, 4)), Status::completed);
  EXPECT_TRUE(trainer.model().W.allFinite());
}

TEST(Guards, AFitThatDivergesAtOnceLeavesTheNumberOfFeaturesOpen) {
  Trainer<float> trainer(three_atoms());
  EXPECT_EQ(trainer.fit((samples(20) * 1e25).cast<float>()).status, Status::diverged);
  EXPECT_EQ(trainer.fit(Matrix<float>::Random(5, 40).cwiseAbs()).status, Status::completed);
}

TEST(Guards, StatisticsOfTheWrongShapeAreRefused) {
  const Matrix<double> W = samples(3);
  const Matrix<double> A = Matrix<double>::Identity(3, 3);
  EXPECT_THROW(solve_dictionary<double>(W, A, samples(2), three_atoms()), DataError);
  EXPECT_THROW(solve_dictionary<double>(W, samples(3), W, three_atoms()), DataError);
}

TEST(Guards, SamplesOfWeightZeroDoNotBecomeAtoms) {
  // The first mini-batch counts for nothing: no atom may come from it.
  Settings settings = three_atoms();
  settings.forget = ForgetNothing{};
  Trainer<double> trainer(settings);
  trainer.partial_fit(samples(20), Vector<double>::Zero(20));
  EXPECT_EQ(trainer.model().reseeded, 0);
}

}  // namespace
