// Ranks with too little to do, too much, or something wrong: all end alike, and none waits for
// ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "support/counting_reader.hpp"
#include "support/scene.hpp"
#include "support/together.hpp"
#include "tamis/error.hpp"

namespace tamis::test {
namespace {

constexpr double close = 1e-10;

Matrix<double> data(Index samples) {
  return make_scene({.features = 13, .rank = 3, .samples = samples, .seed = 3}).V;
}

Settings small_settings(const Algorithm& algorithm = Fast{}) {
  Settings settings = plain_settings(3, algorithm);
  settings.batch_size = 4;
  return settings;
}

// Every rank has samples of its own: of V, from where the one before it stops.
Ensemble<double> with_own_samples(const Settings& settings, const Matrix<double>& V,
                                  const std::vector<Index>& counts) {
  Ensemble<double> together{int(counts.size()), settings, [&V, counts](int rank) {
                              Index first = 0;
                              for (int r = 0; r < rank; ++r) first += counts[std::size_t(r)];
                              return std::make_unique<MatrixSource<double>>(
                                  V.middleCols(first, counts[std::size_t(rank)]));
                            }};
  together.options = [](int, auto& options) { options.distribution.own_samples = true; };
  return together;
}

// One process with what the ranks see together, mini-batch by mini-batch
Model<double> in_turn(const Settings& settings, const Matrix<double>& V,
                      const std::vector<Index>& counts, Index epochs) {
  Trainer<double> trainer(settings);
  for (Index epoch = 0; epoch < epochs; ++epoch) {
    for (Index begin = 0;; begin += *settings.batch_size) {
      Matrix<double> batch(V.rows(), 0);
      Index first = 0;
      for (const Index count : counts) {
        const Index n = std::clamp<Index>(count - begin, 0, *settings.batch_size);
        batch.conservativeResize(V.rows(), batch.cols() + n);
        if (n > 0) batch.rightCols(n) = V.middleCols(first + begin, n);
        first += count;
      }
      if (batch.cols() == 0) break;
      trainer.partial_fit(batch);
    }
  }
  return trainer.model();
}

TEST(RanksWithOwnSamples, AreUnevenAndSomeHaveNone) {
  const auto V = data(40);
  for (const std::vector<Index>& counts : {std::vector<Index>{10, 10, 10},
                                           {3, 17, 9},
                                           {0, 21, 0},
                                           {0, 0, 1},
                                           {4, 0, 0},
                                           {13, 1, 26}}) {
    SCOPED_TRACE(::testing::PrintToString(counts));
    for (const Init& init : {Init(UniformInit{}), Init(SamplesInit{})}) {
      Settings settings = small_settings();
      settings.epochs = 2;
      settings.reseed = true;
      settings.init = init;
      if (std::accumulate(counts.begin(), counts.end(), Index(0)) < settings.rank) {
        settings.init = UniformInit{};
      }
      const auto results = with_own_samples(settings, V, counts).fit();
      expect_same_everywhere(results);
      const auto single = in_turn(settings, V, counts, 2);
      EXPECT_LE((results[0].model.W - single.W).norm(), close * single.W.norm());
      EXPECT_LE((results[0].model.B - single.B).norm(), close * single.B.norm());
      EXPECT_EQ(results[0].model.samples, single.samples);
      EXPECT_EQ(results[0].model.reseeded, single.reseeded);
    }
  }
}

TEST(RanksWithOwnSamples, HaveSinksOfTheirOwn) {
  const auto V = data(40);
  std::vector<Collector<double>> sinks(3);
  auto together = with_own_samples(small_settings(), V, {7, 0, 10});
  together.options = [&](int rank, auto& options) {
    options.distribution.own_samples = true;
    options.sink = &sinks[std::size_t(rank)];
  };
  together.fit();
  EXPECT_EQ(sinks[0].firsts, (std::vector<Index>{0, 4}));
  EXPECT_EQ(sinks[0].sizes, (std::vector<Index>{4, 3}));
  EXPECT_TRUE(sinks[1].sizes.empty());
  EXPECT_EQ(sinks[2].sizes, (std::vector<Index>{4, 4, 2}));
}

TEST(RanksWithOwnSamples, MustAgreeAboutFeatures) {
  Ensemble<double> together{2, small_settings(), [](int rank) {
                              const Matrix<double> V = Matrix<double>::Ones(5 + rank, 4);
                              return std::make_unique<MatrixSource<double>>(V * 1.0);
                            }};
  together.options = [](int, auto& options) { options.distribution.own_samples = true; };
  EXPECT_THROW(together.fit(), DataError);
}

TEST(RanksTogether, NoDataAtAllIsSaid) {
  const Matrix<double> V(13, 0);
  for (const Init& init : {Init(UniformInit{}), Init(SamplesInit{})}) {
    Settings settings = small_settings();
    settings.init = init;
    try {
      ensemble(3, settings, V).fit();
      ADD_FAILURE();
    } catch (const DataError& error) {
      EXPECT_STREQ(error.what(), "the data have no samples");
    }
  }
}

TEST(RanksTogether, MustHaveTheSameSettingsAndData) {
  const auto V = data(40);
  const auto other = data(39);
  auto together = ensemble(3, small_settings(), V);
  together.source = [&](int rank) {
    return std::make_unique<MatrixSource<double>>(rank == 2 ? other : V);
  };
  EXPECT_THROW(together.fit(), DataError);
  EXPECT_THROW(ThreadGroup::run(2,
                                [&](Communicator& comm) {
                                  Settings settings = small_settings();
                                  settings.seed += std::uint64_t(comm.rank());
                                  FitOptions<double> options;
                                  options.distribution.comm = &comm;
                                  Trainer<double>(settings).fit(V, options);
                                }),
               SettingsError);
}

TEST(RanksTogether, RefuseWhatOneProcessMustDoAlone) {
  const auto V = data(40);
  Fast warm;
  warm.warm_start = true;
  for (const Algorithm& algorithm :
       {Algorithm(Bpgd{}), Algorithm(Badmm{}), Algorithm(Onmf{}), Algorithm(warm)}) {
    EXPECT_THROW(ensemble(2, small_settings(algorithm), V).fit(), SettingsError);
    EXPECT_NO_THROW(ensemble(1, small_settings(algorithm), V).fit()) << "alone they may";
  }
}

TEST(RanksTogether, ASourceMustBeAbleToBeShared) {
  struct Plain final : Source<double> {
    Index features() const override { return 3; }
    std::optional<Index> samples() const override { return {}; }
    void start(const Pass&) override {}
    bool read(Index, SampleBlock<double>&) override { return false; }
  };
  EXPECT_THROW(
      (Ensemble<double>{2, small_settings(), [](int) { return std::make_unique<Plain>(); }}.fit()),
      SettingsError);
}

// One bad entry, on whichever rank it falls
TEST(RanksTogether, BadDataOnOneRankEndsAll) {
  for (const Index sample : {1, 6, 30})
    expect_bad_data_ends_all(small_settings(), data(40), sample, false);
}

TEST(RanksTogether, ADamagedFileEndsAll) {
  Ensemble<double> together{3, small_settings(), [](int) {
                              return std::make_unique<ReaderSource<double>>(
                                  std::make_unique<CountingReader>(100, Access::random, 50));
                            }};
  EXPECT_THROW(together.fit(), FileError);
}

TEST(RanksTogether, DivergeTogether) {
  Matrix<float> V = Matrix<float>::Ones(13, 40);
  V.col(30).setConstant(3e30F);
  const auto results = ensemble(3, small_settings(), V).fit();
  for (const auto& result : results) EXPECT_EQ(result.status, Status::diverged);
  expect_same_everywhere(results);
}

TEST(RanksTogether, OneWishStopsAllAfterTheSameMiniBatch) {
  const auto V = data(120);
  for (const int who : {0, 2}) {
    StopAfter observer(3);
    auto together = ensemble(3, small_settings(), V);
    together.options = [&](int rank, auto& options) {
      if (rank == who) options.observer = &observer;
    };
    const auto results = together.fit();
    expect_same_everywhere(results);
    EXPECT_EQ(results[0].status, Status::interrupted);
    EXPECT_EQ(results[0].info.batches, 4) << "the one after the wish";
  }
}

TEST(RanksTogether, AWishInTheLastMiniBatchComesTooLate) {
  const auto V = data(24);
  StopAfter observer(2);
  auto together = ensemble(3, small_settings(), V);
  together.options = [&](int rank, auto& options) {
    if (rank == 1) options.observer = &observer;
  };
  for (const auto& result : together.fit()) EXPECT_EQ(result.status, Status::completed);
}

TEST(RanksTogether, ThoseThatDriftApartAreBroughtTogether) {
  const auto V = data(800);
  for (const Index samples : {400, 800}) {
    std::vector<Model<double>> models(3);
    ThreadGroup::run(3, [&](Communicator& comm) {
      Drifting drifting(comm);
      FitOptions<double> options;
      options.distribution.comm = &drifting;
      models[std::size_t(comm.rank())] =
          Trainer<double>(small_settings()).fit(V.leftCols(samples), options).model;
    });
    const bool compared = models[0].batches >= 64;
    EXPECT_EQ(compared, samples == 800);
    EXPECT_TRUE(bytes_of(models[2]) == bytes_of(models[0]));
    EXPECT_EQ(bytes_of(models[1]) == bytes_of(models[0]), compared);
    EXPECT_LE((models[1].W - models[0].W).norm(), 1e-9);
  }
}

TEST(RanksTogether, OnlyRank0WritesCheckpoints) {
  const auto V = data(60);
  auto together = ensemble(2, small_settings(), V);
  together.options = [](int rank, auto& options) {
    if (rank == 1) options.checkpoint = "/nowhere/at/all.h5";
    options.checkpoint_every = 1;
  };
  EXPECT_NO_THROW(together.fit());
}

TEST(RanksTogether, AFitAloneFollows) {
  const auto V = data(40);
  ThreadGroup::run(2, [&](Communicator& comm) {
    Trainer<double> trainer(small_settings());
    FitOptions<double> options;
    options.distribution.comm = &comm;
    trainer.fit(V, options);
    if (comm.rank() == 0) return;
    EXPECT_EQ(trainer.partial_fit(V), Status::completed) << "without rank 0";
  });
}

}  // namespace
}  // namespace tamis::test
