// Passes over the data: which samples, in which order, how many, and what is reported about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

Matrix<double> small_data(Index samples = 21) {
  return make_scene({.features = 9, .rank = 3, .samples = samples, .seed = 4}).V;
}

TEST(Passes, EverySampleIsVisitedOncePerEpoch) {
  const auto V = small_data();
  for (const Algorithm& algorithm : online_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = plain_settings(3, algorithm);
    settings.epochs = 3;
    Collector<double> sink;
    FitOptions<double> options;
    options.sink = &sink;
    const auto result = Trainer<double>(settings).fit(V, options);
    EXPECT_EQ(result.status, Status::completed);
    EXPECT_EQ(result.info.samples, 63);
    EXPECT_EQ(result.info.batches, 9);
    EXPECT_EQ(result.info.epochs, 3);
    EXPECT_EQ(result.model.samples, 63);
    EXPECT_EQ(result.model.weight, 63.0);
    EXPECT_EQ(sink.sizes, (std::vector<Index>{8, 8, 5, 8, 8, 5, 8, 8, 5}));
    EXPECT_EQ(sink.firsts, (std::vector<Index>{0, 8, 16, 0, 8, 16, 0, 8, 16}));
    EXPECT_EQ(sink.epochs, (std::vector<Index>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  }
}

TEST(Passes, ABatchLargerThanTheDataIsOneBatch) {
  Settings settings = plain_settings(3);
  settings.batch_size = 1000;
  const auto result = Trainer<double>(settings).fit(small_data());
  EXPECT_EQ(result.info.batches, 1);
  EXPECT_EQ(result.info.samples, 21);
}

TEST(Passes, ShuffleChangesTheOrderAndIsReproducible) {
  const auto V = small_data();
  for (const Algorithm& algorithm : online_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = plain_settings(3, algorithm);
    settings.epochs = 2;
    const auto in_order = Trainer<double>(settings).fit(V).model;
    settings.shuffle = true;
    const auto shuffled = Trainer<double>(settings).fit(V).model;
    EXPECT_FALSE(same_bits(shuffled.W, in_order.W));
    EXPECT_TRUE(bytes_of(Trainer<double>(settings).fit(V).model) == bytes_of(shuffled));
    settings.seed += 1;
    EXPECT_FALSE(same_bits(Trainer<double>(settings).fit(V).model.W, shuffled.W));
  }
}

// The columns of one pass, told apart by their first entry.
std::vector<Index> order_of(MatrixSource<double>& source, const Pass& pass, Index most) {
  std::vector<Index> order;
  SampleBlock<double> block;
  source.start(pass);
  while (source.read(most, block)) {
    EXPECT_LE(block.V.cols(), most);
    for (Index j = 0; j < block.V.cols(); ++j) order.push_back(Index(block.V(0, j)));
  }
  return order;
}

class MatrixSourcePasses : public ::testing::Test {
 protected:
  MatrixSourcePasses() : V(2, 50) {
    for (Index j = 0; j < V.cols(); ++j) V.col(j).setConstant(double(j));
    in_order.resize(std::size_t(V.cols()));
    std::iota(in_order.begin(), in_order.end(), 0);
  }

  Matrix<double> V;
  std::vector<Index> in_order;
};

TEST_F(MatrixSourcePasses, WithoutShuffleTheOrderIsKept) {
  MatrixSource<double> source(V);
  EXPECT_EQ(source.features(), 2);
  EXPECT_EQ(source.samples(), 50);
  EXPECT_EQ(order_of(source, {}, 7), in_order);
}

TEST_F(MatrixSourcePasses, ShuffledPassesArePermutationsThatDiffer) {
  MatrixSource<double> source(V);
  const auto first = order_of(source, {.epoch = 0, .shuffle = true, .seed = 1}, 7);
  const auto second = order_of(source, {.epoch = 1, .shuffle = true, .seed = 1}, 7);
  const auto other_seed = order_of(source, {.epoch = 0, .shuffle = true, .seed = 2}, 7);
  EXPECT_NE(first, in_order);
  EXPECT_NE(first, second);
  EXPECT_NE(first, other_seed);
  for (auto order : {first, second, other_seed}) {
    std::ranges::sort(order);
    EXPECT_EQ(order, in_order);
  }
  EXPECT_EQ(order_of(source, {.epoch = 0, .shuffle = true, .seed = 1}, 13), first);
}

TEST_F(MatrixSourcePasses, APassCanBeginInTheMiddle) {
  MatrixSource<double> source(V);
  const auto whole = order_of(source, {.epoch = 3, .shuffle = true, .seed = 5}, 7);
  const auto rest = order_of(source, {.epoch = 3, .position = 19, .shuffle = true, .seed = 5}, 7);
  EXPECT_EQ(rest, std::vector<Index>(whole.begin() + 19, whole.end()));
}

TEST(Trace, IsBoundedAndItsSamplesIncrease) {
  Settings settings = plain_settings(2);
  settings.batch_size = 1;
  const auto result = Trainer<double>(settings).fit(small_data(9000));
  const auto& points = result.info.trace.points();
  ASSERT_GE(points.size(), 256u);
  EXPECT_LE(points.size(), 1024u);
  for (std::size_t i = 1; i < points.size(); ++i) {
    ASSERT_GT(points[i].samples, points[i - 1].samples);
    ASSERT_GE(points[i].seconds, points[i - 1].seconds);
    ASSERT_TRUE(std::isfinite(points[i].objective));
    ASSERT_GE(points[i].change, 0);
  }
  EXPECT_GT(points.back().samples, result.info.samples * 9 / 10);
}

TEST(Trace, AShortFitIsRecordedWhole) {
  const auto result = Trainer<double>(plain_settings(3)).fit(small_data());
  const auto& points = result.info.trace.points();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points.back().samples, 21);
  EXPECT_EQ(points.back().lambda, 0.1);
  EXPECT_NEAR(points.back().objective, result.model.surrogate(), 1e-12);
  EXPECT_EQ(result.info.objective, points.back().objective);
}

TEST(Info, SecondsAreNotNegativeAndAddUpToSomething) {
  Collector<double> sink;
  FitOptions<double> options;
  options.sink = &sink;
  const auto seconds =
      Trainer<double>(plain_settings(3)).fit(small_data(200), options).info.seconds;
  for (const double phase :
       {seconds.read, seconds.encode, seconds.reduce, seconds.update, seconds.write}) {
    EXPECT_GE(phase, 0);
    EXPECT_LT(phase, 60);
  }
  EXPECT_GT(seconds.encode, 0);
  EXPECT_GT(seconds.update, 0);
}

TEST(Info, BatchAlgorithmsSayWhetherTheyConverged) {
  const auto V = small_data();
  for (Algorithm algorithm : batch_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    EXPECT_EQ(Trainer<double>(plain_settings(3, algorithm)).fit(V).status, Status::iteration_limit);
    const auto loosen = [](auto& a) {
      if constexpr (std::decay_t<decltype(a)>::whole) {
        a.stopping = {.tolerance = 1e-2, .iterations = 5000};
      }
    };
    std::visit(loosen, algorithm);
    const auto result = Trainer<double>(plain_settings(3, algorithm)).fit(V);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LT(result.info.batches, 5000);
  }
}

TEST(Info, EveryStatusHasItsOwnName) {
  std::vector<std::string> names;
  for (const Status status : {Status::completed, Status::converged, Status::iteration_limit,
                              Status::interrupted, Status::diverged}) {
    names.emplace_back(name_of(status));
    EXPECT_FALSE(names.back().empty());
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(Observer, CanInterruptAFit) {
  const auto V = small_data(80);
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Trainer<double> trainer(plain_settings(3, algorithm));
    StopAfter observer(4);
    FitOptions<double> options;
    options.observer = &observer;
    const auto result = trainer.fit(V, options);
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_EQ(result.info.batches, 4);
    EXPECT_EQ(observer.seen, 4);
    EXPECT_TRUE(is_feasible(result.model.settings, result.model.W, 1e-9));
    EXPECT_TRUE(result.model.encode(V).H.allFinite());
    EXPECT_TRUE(bytes_of(trainer.model()) == bytes_of(result.model));
  }
}

struct Recorder final : tamis::Observer {
  std::vector<Progress> seen;
  bool on_batch(const Progress& progress) override {
    seen.push_back(progress);
    return true;
  }
};

TEST(Observer, IsToldHowFarTheFitIs) {
  Settings settings = plain_settings(3);
  settings.epochs = 2;
  Recorder recorder;
  FitOptions<double> options;
  options.observer = &recorder;
  Trainer<double>(settings).fit(small_data(), options);
  ASSERT_EQ(recorder.seen.size(), 6u);
  EXPECT_EQ(recorder.seen[0].samples, 8);
  EXPECT_EQ(recorder.seen[5].samples, 42);
  EXPECT_EQ(recorder.seen[5].total, 42);
  EXPECT_EQ(recorder.seen[5].batches, 6);
  EXPECT_EQ(recorder.seen[2].epoch, 0);
  EXPECT_EQ(recorder.seen[3].epoch, 1);
  EXPECT_EQ(recorder.seen[3].lambda, 0.1);
  EXPECT_GT(recorder.seen[0].loss, 0);
}

// More samples than a number can count: how many is not told, and the fit runs.
TEST(Observer, IsNotToldATotalBeyondCounting) {
  struct Stopper final : tamis::Observer {
    std::optional<Index> total = 0;
    bool on_batch(const Progress& progress) override {
      total = progress.total;
      return false;
    }
  } stopper;
  Settings settings = plain_settings(3);
  settings.epochs = std::numeric_limits<Index>::max();
  FitOptions<double> options;
  options.observer = &stopper;
  EXPECT_EQ(Trainer<double>(settings).fit(small_data(), options).status, Status::interrupted);
  EXPECT_FALSE(stopper.total.has_value());
}

}  // namespace
}  // namespace tamis::test
