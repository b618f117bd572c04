// Sums that are exchanged while the next mini-batch is encoded: what is learned depends on nothing
// but the lag of one mini-batch. That it is the right thing is for tests/reference/late_test.cpp.
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "random/random.hpp"
#include "support/scene.hpp"
#include "support/together.hpp"

namespace tamis::test {
namespace {

constexpr double close = 1e-10;

Matrix<double> data(Index samples) {
  return make_scene({.features = 17, .rank = 4, .samples = samples, .seed = 3}).V;
}

// P ranks with mini-batches of 12/P learn the same, whatever P is.
void expect_same_for_any_number(const Settings& settings, const Matrix<double>& V,
                                double tolerance = close, Index batch = 12) {
  std::optional<Model<double>> first;
  for (const int P : {2, 3, 4, 6}) {
    SCOPED_TRACE(::testing::Message() << P << " ranks");
    Settings mine = settings;
    mine.batch_size = batch / P;
    const auto results = late_ensemble(P, mine, V).fit();
    expect_same_everywhere(results);
    EXPECT_EQ(results[0].status, Status::completed);
    EXPECT_EQ(results[0].model.samples, V.cols() * settings.epochs);
    if (!first) first = results[0].model;
    expect_close(results[0].model, *first, tolerance);
  }
}

TEST(RanksAsync, AnyNumberOfRanksAndAlgorithm) {
  const auto V = data(67);
  for (const Algorithm& algorithm :
       {Algorithm(Fast{}), Algorithm(Opgd{}), Algorithm(Oadmm{}), Algorithm(Orpca{})}) {
    for (const bool shuffle : {false, true}) {
      SCOPED_TRACE(::testing::Message() << name_of(algorithm) << (shuffle ? " shuffled" : ""));
      Settings settings = settings_for(algorithm, 1);
      settings.shuffle = shuffle;
      settings.epochs = 3;
      expect_same_for_any_number(settings, V);
    }
  }
}

TEST(RanksAsync, AnyNumberOfSamples) {
  for (const Index samples : {1, 4, 11, 12, 13, 24, 41}) {
    SCOPED_TRACE(samples);
    expect_same_for_any_number(settings_for(Fast{}, 1), data(samples));
  }
}

// λ from the noise, forgetting, new atoms for dead ones, more than one thread per rank
TEST(RanksAsync, EverythingThatIsOnByDefault) {
  Settings settings;
  settings.rank = 9;
  settings.epochs = 2;
  settings.shuffle = true;
  settings.threads = 2;
  expect_same_for_any_number(settings, data(230), close, 36);
}

TEST(RanksAsync, DeadAtomsGetTheSameSamplesOnce) {
  Matrix<double> V = data(90);
  V.bottomRows(8).setZero();
  V.leftCols(70).topRows(4).setZero();
  Settings settings = settings_for(Fast{}, 1);
  settings.rank = 12;
  settings.reseed = true;
  expect_same_for_any_number(settings, V);
  settings.batch_size = 4;
  const Index reseeded = late_ensemble(3, settings, V).fit()[0].model.reseeded;
  EXPECT_GT(reseeded, 0) << "the test has no dead atoms";
  EXPECT_LE(reseeded, 2 * ensemble(3, settings, V).fit()[0].model.reseeded);
}

TEST(RanksAsync, MissingEntriesAndWeights) {
  Matrix<double> V = data(60);
  RandomStream random(2, Purpose::data);
  for (auto& v : V.reshaped())
    if (random.uniform() < 0.2) v = std::numeric_limits<double>::quiet_NaN();
  Settings settings = settings_for(Fast{}, 1);
  settings.missing = true;
  settings.max_outlier = std::numeric_limits<double>::infinity();
  expect_same_for_any_number(settings, V);
}

TEST(RanksAsync, WithFewerExchangesAndFloatsOnTheWire) {
  const auto V = data(67);
  const auto few = with(late_ensemble(2, settings_for(Fast{}, 3), V), [](int, auto& options) {
                     options.distribution.sync_every = 2;
                   }).fit();
  expect_same_everywhere(few);
  const auto many = late_ensemble(2, settings_for(Fast{}, 6), V).fit();
  EXPECT_TRUE(learned_bytes_of(few[0].model) == learned_bytes_of(many[0].model));
  const auto floats = with(late_ensemble(2, settings_for(Fast{}, 6), V), [](int, auto& options) {
                        options.distribution.float_wire = true;
                      }).fit();
  expect_same_everywhere(floats);
  EXPECT_FALSE(learned_bytes_of(floats[0].model) == learned_bytes_of(many[0].model));
  expect_close(floats[0].model, many[0].model, 1e-5);
}

TEST(RanksAsync, OneProcessHasNothingToWaitFor) {
  const auto V = data(67);
  const Settings settings = settings_for(Fast{}, 5);
  EXPECT_TRUE(bytes_of(late_ensemble(1, settings, V).fit()[0].model) ==
              bytes_of(Trainer<double>(settings).fit(V).model));
}

TEST(RanksAsync, TheSinkOfRank0GetsEverything) {
  const auto V = data(67);
  for (const bool shuffle : {false, true}) {
    Settings settings = settings_for(Opgd{}, 5);
    settings.shuffle = shuffle;
    settings.epochs = 2;
    std::vector<Collector<double>> sinks(2);
    for (const int P : {1, 3}) {
      Collector<double>& sink = sinks[P == 1 ? 0 : 1];
      Settings mine = settings;
      if (P == 1) mine.batch_size = 15;
      with(late_ensemble(P, mine, V), [&](int rank, auto& options) {
        if (rank == 0) options.sink = &sink;
      }).fit();
    }
    EXPECT_EQ(sinks[1].epochs, sinks[0].epochs);
    EXPECT_EQ(sinks[1].firsts, sinks[0].firsts);
    EXPECT_EQ(sinks[1].sizes, sinks[0].sizes);
  }
}

// Every rank has samples of its own, of which some have none, or one has more than all others.
TEST(RanksAsync, UnevenShares) {
  const auto V = data(60);
  for (const std::vector<Index>& counts :
       {std::vector<Index>{20, 0, 40}, {60, 0, 0}, {1, 2, 57}, {0, 0, 60}}) {
    Ensemble<double> together{3, settings_for(Fast{}, 4), [&](int rank) {
                                Index first = 0;
                                for (int r = 0; r < rank; ++r) first += counts[std::size_t(r)];
                                return std::make_unique<MatrixSource<double>>(
                                    V.middleCols(first, counts[std::size_t(rank)]));
                              }};
    together.settings.epochs = 2;
    together.options = [](int, auto& options) {
      options.distribution.async = true;
      options.distribution.own_samples = true;
    };
    const auto results = together.fit();
    expect_same_everywhere(results);
    EXPECT_EQ(results[0].model.samples, 120);
  }
}

}  // namespace
}  // namespace tamis::test
