// Sums that are under way when ranks stop, save, fail or drift apart: none are left behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "support/scene.hpp"
#include "support/temporary_folder.hpp"
#include "support/together.hpp"
#include "tamis/error.hpp"

namespace tamis::test {
namespace {

Matrix<double> data(Index samples) {
  return make_scene({.features = 17, .rank = 4, .samples = samples, .seed = 3}).V;
}

TEST(RanksAsyncTrouble, NoDataAtAllIsSaid) {
  const Matrix<double> V(13, 0);
  EXPECT_THROW(late_ensemble(3, settings_for(Fast{}, 4), V).fit(), DataError);
}

// A checkpoint catches up, and so whoever goes on from it has the bits of the fit that wrote it.
TEST(RanksAsyncTrouble, ACheckpointIsCompleteAndGoesOnToTheSameBits) {
  const TemporaryFolder folder;
  const std::string path = folder / "state.h5";
  const auto V = data(100);
  for (const Algorithm& algorithm : {Algorithm(Fast{}), Algorithm(Oadmm{})}) {
    for (const Index every : {1, 2, 3, 5}) {
      for (const Index stop : {2, 6, 9}) {
        SCOPED_TRACE(::testing::Message()
                     << name_of(algorithm) << " every " << every << " stopped after " << stop);
        Settings settings = settings_for(algorithm, 5);
        settings.epochs = 2;  // of 10 mini-batches
        settings.reseed = true;
        const auto together = with(late_ensemble(2, settings, V), [&](int, auto& options) {
          options.checkpoint = path;
          options.checkpoint_every = every;
        });
        const auto whole = together.fit();
        StopAfter observer(stop);
        const auto stopped = with(together, [&](int rank, auto& options) {
                               if (rank == 1) options.observer = &observer;
                             }).fit();
        EXPECT_EQ(stopped[0].status, Status::interrupted);
        const auto saved = Trainer<double>::load(path).model();
        EXPECT_EQ(saved.samples, saved.batches * 10) << "whole mini-batches";
        if (every == 3) {
          EXPECT_EQ(saved.batches % 3, 0);
        }
        EXPECT_LE(saved.batches, stopped[0].model.batches);
        auto rest = together;
        rest.resume = path;
        const auto resumed = rest.fit();
        expect_same_everywhere(resumed);
        EXPECT_TRUE(bytes_of(resumed[0].model) == bytes_of(whole[0].model));
      }
    }
  }
}

// Also where a pass has a single mini-batch, which nothing of the pass follows
TEST(RanksAsyncTrouble, CheckpointsOfShortPasses) {
  const TemporaryFolder folder;
  const std::string path = folder / "state.h5";
  const auto V = data(8);
  Settings settings = settings_for(Fast{}, 4);
  settings.epochs = 7;
  const auto together = with(late_ensemble(2, settings, V), [&](int, auto& options) {
    options.checkpoint = path;
    options.checkpoint_every = 2;
  });
  const auto whole = together.fit();
  const auto saved = Trainer<double>::load(path).model();
  EXPECT_GE(saved.batches, 5);
  auto rest = together;
  rest.resume = path;
  EXPECT_TRUE(bytes_of(rest.fit()[0].model) == bytes_of(whole[0].model));
}

TEST(RanksAsyncTrouble, AnotherNumberOfRanksGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder / "state.h5";
  const auto V = data(240);
  const auto together = with(late_ensemble(2, settings_for(Fast{}, 6), V), [&](int, auto& options) {
    options.checkpoint = path;
    options.checkpoint_every = 4;
  });
  StopAfter observer(6);
  with(together, [&](int rank, auto& options) {
    if (rank == 0) options.observer = &observer;
  }).fit();
  for (const int P : {1, 3}) {
    Ensemble<double> rest = late_ensemble(P, settings_for(Fast{}, 6), V);
    rest.resume = path;
    const auto results = rest.fit();
    expect_same_everywhere(results);
    EXPECT_EQ(results[0].model.samples, 240);
  }
}

TEST(RanksAsyncTrouble, OneWishStopsAllWithNothingLeftBehind) {
  const auto V = data(240);
  for (const int who : {0, 2}) {
    StopAfter observer(3);
    Collector<double> sink;
    const auto results =
        with(late_ensemble(3, settings_for(Fast{}, 4), V), [&](int rank, auto& options) {
          if (rank == who) options.observer = &observer;
          if (rank == 0) options.sink = &sink;
        }).fit();
    expect_same_everywhere(results);
    EXPECT_EQ(results[0].status, Status::interrupted);
    EXPECT_EQ(results[0].info.batches, 6);
    EXPECT_EQ(results[0].model.position, 72);
    EXPECT_EQ(sink.H.cols(), 72) << "what was written was also learned from";
  }
}

// Also when all hear of it at the end of a pass
TEST(RanksAsyncTrouble, AWishAtAnyTimeLeavesNothingBehind) {
  const auto V = data(48);
  Settings settings = settings_for(Fast{}, 4);
  settings.epochs = 3;  // of 4 mini-batches
  for (Index stop = 1; stop <= 12; ++stop) {
    SCOPED_TRACE(stop);
    StopAfter observer(stop);
    Collector<double> sink;
    const auto results = with(late_ensemble(3, settings, V), [&](int rank, auto& options) {
                           if (rank == 1) options.observer = &observer;
                           if (rank == 0) options.sink = &sink;
                         }).fit();
    expect_same_everywhere(results);
    EXPECT_EQ(results[0].status, stop < 11 ? Status::interrupted : Status::completed);
    EXPECT_LE(results[0].info.batches, std::min<Index>(12, stop + 4));
    EXPECT_EQ(sink.H.cols(), results[0].model.samples);
  }
}

// One bad entry, on whichever rank it falls, while sums are under way
TEST(RanksAsyncTrouble, BadDataOnOneRankEndsAll) {
  for (const Index sample : {1, 6, 30, 39})
    expect_bad_data_ends_all(settings_for(Fast{}, 4), data(40), sample, true);
}

TEST(RanksAsyncTrouble, DivergeTogether) {
  Matrix<float> V = Matrix<float>::Ones(13, 40);
  V.col(30).setConstant(3e30F);
  const auto results = late_ensemble(3, settings_for(Fast{}, 4), V).fit();
  for (const auto& result : results) EXPECT_EQ(result.status, Status::diverged);
  expect_same_everywhere(results);
}

TEST(RanksAsyncTrouble, AllHaveToDoIt) {
  const auto V = data(40);
  const auto some = with(ensemble(2, settings_for(Fast{}, 4), V),
                         [](int rank, auto& options) { options.distribution.async = rank == 1; });
  EXPECT_THROW(some.fit(), SettingsError);
}

// A trainer whose fit ended goes on as if nothing had been exchanged late.
TEST(RanksAsyncTrouble, AnotherFitFollows) {
  const auto V = data(48);
  ThreadGroup::run(2, [&](Communicator& comm) {
    Trainer<double> trainer(settings_for(Fast{}, 4)), fresh(settings_for(Fast{}, 4));
    FitOptions<double> options;
    options.distribution.comm = &comm;
    options.distribution.async = true;
    const auto model = trainer.fit(V, options).model;
    EXPECT_TRUE(bytes_of(fresh.fit(V, options).model) == bytes_of(model));
    EXPECT_EQ(trainer.partial_fit(V, Vector<double>(), options.distribution), Status::completed);
    EXPECT_EQ(fresh.partial_fit(V, Vector<double>(), {.comm = &comm}), Status::completed);
    EXPECT_TRUE(bytes_of(fresh.model()) == bytes_of(trainer.model()));
  });
}

TEST(RanksAsyncTrouble, ThoseThatDriftApartAreBroughtTogether) {
  const auto V = data(1200);
  for (const Index samples : {400, 1200}) {
    std::vector<Model<double>> models(3);
    ThreadGroup::run(3, [&](Communicator& comm) {
      Drifting drifting(comm);
      FitOptions<double> options;
      options.distribution.comm = &drifting;
      options.distribution.async = true;
      models[std::size_t(comm.rank())] =
          Trainer<double>(settings_for(Fast{}, 4)).fit(V.leftCols(samples), options).model;
    });
    const bool compared = models[0].batches > 65;
    EXPECT_EQ(compared, samples == 1200);
    EXPECT_TRUE(bytes_of(models[2]) == bytes_of(models[0]));
    EXPECT_EQ(bytes_of(models[1]) == bytes_of(models[0]), compared);
    EXPECT_LE((models[1].W - models[0].W).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace tamis::test
