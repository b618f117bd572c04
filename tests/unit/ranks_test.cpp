// P ranks with mini-batches of τ learn what one process learns with mini-batches of P·τ, and all of
// them the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "random/random.hpp"
#include "support/scene.hpp"
#include "support/temporary_folder.hpp"
#include "support/together.hpp"

namespace tamis::test {
namespace {

constexpr double close = 1e-10;

// Those that ranks can share
std::vector<Algorithm> shared_algorithms() { return {Fast{}, Opgd{}, Oadmm{}, Orpca{}}; }

Matrix<double> data(Index samples) {
  return make_scene({.features = 17, .rank = 4, .samples = samples, .seed = 3}).V;
}

Settings settings_for(const Algorithm& algorithm) {
  Settings settings = plain_settings(4, algorithm);
  settings.batch_size = 5;
  return settings;
}

class Ranks : public ::testing::TestWithParam<int> {
 protected:
  static int P() { return GetParam(); }
};

TEST_P(Ranks, EveryAlgorithmOrderedAndShuffled) {
  const auto V = data(67);  // divides by nothing here
  for (const Algorithm& algorithm : shared_algorithms()) {
    for (const bool shuffle : {false, true}) {
      SCOPED_TRACE(::testing::Message() << name_of(algorithm) << (shuffle ? " shuffled" : ""));
      Settings settings = settings_for(algorithm);
      settings.shuffle = shuffle;
      settings.epochs = 3;
      expect_equivalent(ensemble(P(), settings, V), close);
    }
  }
}

TEST_P(Ranks, AnyNumberOfSamples) {
  for (const Index samples : {1, 4, 5, 6, 20, 40, 41}) {
    SCOPED_TRACE(samples);
    const auto V = data(samples);
    expect_equivalent(ensemble(P(), settings_for(Fast{}), V), close);
    expect_equivalent(ensemble(P(), settings_for(Opgd{}), V), close);
  }
}

// λ from the noise, forgetting, new atoms for dead ones, more than one thread per rank
TEST_P(Ranks, EverythingThatIsOnByDefault) {
  const auto V = data(230);
  Settings settings;
  settings.rank = 9;
  settings.batch_size = 12;
  settings.epochs = 2;
  settings.shuffle = true;
  settings.threads = 2;
  expect_equivalent(ensemble(P(), settings, V), close);
}

TEST_P(Ranks, DeadAtomsGetTheSameSamples) {
  Matrix<double> V = data(90);
  V.bottomRows(8).setZero();
  V.leftCols(70).topRows(4).setZero();
  Settings settings = settings_for(Fast{});
  settings.rank = 12;
  settings.reseed = true;
  settings.batch_size = 8;
  expect_equivalent(ensemble(P(), settings, V), close);
  EXPECT_GT(ensemble(P(), settings, V).fit()[0].model.reseeded, 0) << "the test has no dead atoms";
}

TEST_P(Ranks, DictionariesThatBeginWithSamples) {
  const auto V = data(45);
  for (const Init& init : {Init(SamplesInit{}), Init(NndsvdInit{}), Init(HalfNormalInit{})}) {
    SCOPED_TRACE(name_of(init));
    Settings settings = settings_for(Fast{});
    settings.init = init;
    expect_equivalent(ensemble(P(), settings, V), close);
  }
}

TEST_P(Ranks, MissingEntries) {
  Matrix<double> V = data(60);
  RandomStream random(2, Purpose::data);
  for (auto& v : V.reshaped())
    if (random.uniform() < 0.2) v = std::numeric_limits<double>::quiet_NaN();
  for (const Algorithm& algorithm : shared_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = settings_for(algorithm);
    settings.missing = true;
    settings.max_outlier = std::numeric_limits<double>::infinity();
    expect_equivalent(ensemble(P(), settings, V), close);
  }
}

TEST_P(Ranks, WeightsOfSamples) {
  const auto V = data(38);
  Vector<double> weights = Vector<double>::LinSpaced(38, 0.2, 3);
  weights.segment(9, 4).setZero();
  Settings settings = settings_for(Fast{});
  settings.reseed = true;
  settings.rank = 8;
  expect_equivalent<double>(
      {P(), settings, [&](int) { return std::make_unique<MatrixSource<double>>(V, weights); }},
      close);
}

TEST_P(Ranks, SamplesAreScaledAsBefore) {
  const auto V = data(38);
  Settings settings = settings_for(Oadmm{});
  settings.normalize = NormalizeMax{};
  expect_equivalent(ensemble(P(), settings, V), close);
}

TEST_P(Ranks, SinglePrecisionAgreesAsFarAsItReaches) {
  const Matrix<float> V = data(67).cast<float>();
  const Settings settings = settings_for(Fast{});
  expect_equivalent(ensemble(P(), settings, V), 1e-4);
}

TEST_P(Ranks, SumsOfSeveralMiniBatchesAreOneLargeMiniBatch) {
  const auto V = data(67);
  Settings settings = settings_for(Fast{});
  auto together = ensemble(P(), settings, V);
  together.options = [](int, auto& options) { options.distribution.sync_every = 3; };
  const auto few = together.fit();
  expect_same_everywhere(few);
  together.options = [](int, auto&) {};
  together.settings.batch_size = P() == 1 ? 5 : 15;
  Model<double> many = together.fit()[0].model;
  many.settings = few[0].model.settings;
  EXPECT_TRUE(bytes_of(few[0].model) == bytes_of(many));
}

TEST_P(Ranks, FloatsOnTheWireAreAlmostAsGood) {
  const auto V = data(67);
  const Settings settings = settings_for(Fast{});
  auto together = ensemble(P(), settings, V);
  together.options = [](int, auto& options) { options.distribution.float_wire = true; };
  expect_equivalent(together, 1e-5);
}

// Codes and outliers arrive at rank 0, in the order in which one process would have written them.
TEST_P(Ranks, TheSinkOfRank0GetsEverything) {
  const auto V = data(67);
  for (const bool shuffle : {false, true}) {
    Settings settings = settings_for(Opgd{});
    settings.shuffle = shuffle;
    settings.epochs = 2;
    Collector<double> sink, single;
    auto together = ensemble(P(), settings, V);
    together.options = [&](int rank, auto& options) {
      if (rank == 0) options.sink = &sink;
    };
    together.fit();
    settings.batch_size = 5 * P();
    FitOptions<double> options;
    options.sink = &single;
    Trainer<double>(settings).fit(V, options);
    EXPECT_EQ(sink.epochs, single.epochs);
    EXPECT_EQ(sink.firsts, single.firsts);
    EXPECT_EQ(sink.sizes, single.sizes);
    EXPECT_LE((sink.H - single.H).norm(), close * single.H.norm());
    EXPECT_LE((sink.R - single.R).norm(), close * single.R.norm());
  }
}

// Stopped with P ranks, resumed with others: the positions of a pass are those of all ranks.
TEST_P(Ranks, AStoppedFitGoesOnWithAnotherNumberOfRanks) {
  const TemporaryFolder folder;
  const auto V = data(240);
  for (const Algorithm& algorithm : shared_algorithms()) {
    for (const bool shuffle : {false, true}) {
      SCOPED_TRACE(::testing::Message() << name_of(algorithm) << (shuffle ? " shuffled" : ""));
      Settings settings = settings_for(algorithm);
      settings.shuffle = shuffle;
      const std::string path = folder / "state.h5";
      auto together = ensemble(P(), settings, V);
      together.options = [&](int, auto& options) {
        options.checkpoint = path;
        options.checkpoint_every = 2;
      };
      StopAfter observer(3);
      const auto with_stop = together.options;
      together.options = [&](int rank, auto& options) {
        with_stop(rank, options);
        if (rank == 0) options.observer = &observer;
      };
      EXPECT_EQ(together.fit()[0].status, Status::interrupted);
      together.options = [](int, auto&) {};
      together.resume = path;
      together.ranks = 3;
      const auto resumed = together.fit();
      expect_same_everywhere(resumed);
      EXPECT_EQ(resumed[0].model.samples, 240);

      // The same by processes that are alone
      Settings alone = settings;
      alone.batch_size = 5 * P();
      Trainer<double> first(alone);
      StopAfter again(Trainer<double>::load(path).model().batches);
      FitOptions<double> options;
      options.observer = &again;
      first.fit(V, options);
      Trainer<double> rest(first.model());
      const Index position = rest.model().position;
      MatrixSource<double> source(V);
      source.start({.position = position, .shuffle = shuffle, .seed = alone.seed});
      if (algorithm.index() == Algorithm(Fast{}).index()) {
        SampleBlock<double> block;
        while (source.read(15, block)) rest.partial_fit(block.V);
        EXPECT_LE((rest.model().W - resumed[0].model.W).norm(), close * rest.model().W.norm());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Numbers, Ranks, ::testing::Values(1, 2, 3, 4),
                         [](const auto& each) { return std::to_string(each.param); });

}  // namespace
}  // namespace tamis::test
