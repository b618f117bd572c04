// A fit that is stopped, saved, loaded and resumed gives the same bits as one that was never
// stopped.
#include <gtest/gtest.h>

#include "support/kit.hpp"
#include "support/scene.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

template <class T>
Matrix<T> data() {
  return make_scene({.features = 12, .rank = 3, .samples = 29, .outlier_share = 0.1, .seed = 81})
      .V.template cast<T>();
}

Settings settings_for(const Algorithm& algorithm) {
  Settings settings = plain_settings(3, algorithm);
  settings.shuffle = true;
  settings.epochs = 3;
  return settings;
}

template <class T>
FitResult<T> stop_save_load_resume(const Settings& settings, Index stop, const std::string& path,
                                   Sink<T>* sink = nullptr) {
  {
    Trainer<T> trainer(settings);
    StopAfter observer(stop);
    FitOptions<T> options;
    options.observer = &observer;
    options.sink = sink;
    EXPECT_EQ(trainer.fit(data<T>(), options).status, Status::interrupted);
    trainer.save(path);
  }
  auto loaded = Trainer<T>::load(path);
  FitOptions<T> options;
  options.resume = true;
  options.sink = sink;
  return loaded.fit(data<T>(), options);
}

template <class T>
void expect_resumable(const Settings& settings, std::initializer_list<Index> stops) {
  const TemporaryFolder folder;
  const auto expected = Trainer<T>(settings).fit(data<T>());
  for (const Index stop : stops) {
    SCOPED_TRACE(stop);
    const auto resumed = stop_save_load_resume<T>(settings, stop, folder / "state.h5");
    EXPECT_EQ(resumed.status, expected.status);
    EXPECT_TRUE(same_bits(resumed.model.W, expected.model.W));
    EXPECT_TRUE(bytes_of(resumed.model) == bytes_of(expected.model));
    EXPECT_EQ(resumed.info.batches, expected.info.batches - stop);
  }
}

// Four mini-batches per epoch: in the middle, at the end of an epoch, and the last but one of all.
TEST(Resume, OnlineAlgorithmsGoOnAsIfNothingHadHappened) {
  for (const Algorithm& algorithm : online_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    expect_resumable<double>(settings_for(algorithm), {1, 4, 6, 8, 11});
    expect_resumable<float>(settings_for(algorithm), {6});
  }
}

TEST(Resume, BatchAlgorithmsGoOnAsIfNothingHadHappened) {
  for (const Algorithm& algorithm : batch_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    expect_resumable<double>(settings_for(algorithm), {1, 2, 5, 11});
    expect_resumable<float>(settings_for(algorithm), {5});
  }
}

// The tolerance compares with the previous pass, also across the interruption.
TEST(Resume, BatchAlgorithmsConvergeAtTheSamePass) {
  const BatchStopping stopping{.tolerance = 3e-3, .iterations = 5000};
  for (const Algorithm& algorithm :
       std::vector<Algorithm>{Bpgd{.stopping = stopping}, Badmm{.stopping = stopping}}) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = settings_for(algorithm);
    const auto expected = Trainer<double>(settings).fit(data<double>());
    ASSERT_EQ(expected.status, Status::converged);
    ASSERT_GT(expected.info.batches, 3);
    expect_resumable<double>(settings, {1, 2, expected.info.batches - 1});
  }
}

TEST(Resume, WithEverythingThatFastDoesOnItsOwn) {
  Settings settings;
  settings.rank = 5;
  settings.batch_size = 8;
  settings.shuffle = true;
  settings.epochs = 3;
  expect_resumable<double>(settings, {1, 4, 7});
  expect_resumable<float>(settings, {1, 4, 7});
}

TEST(Resume, WithMissingEntriesAndWeightlessDefaultsOfThePublished) {
  Settings settings;
  settings.rank = 3;
  settings.algorithm = Oadmm{};
  settings.epochs = 2;
  settings.init = HalfNormalInit{};
  expect_resumable<double>(settings, {1, 20, 29, 40});
}

TEST(Resume, TheSinkGetsEverySampleOnce) {
  const TemporaryFolder folder;
  const Settings settings = settings_for(Opgd{});
  Collector<double> whole;
  FitOptions<double> options;
  options.sink = &whole;
  Trainer<double>(settings).fit(data<double>(), options);
  Collector<double> pieces;
  stop_save_load_resume<double>(settings, 6, folder / "state.h5", &pieces);
  EXPECT_EQ(pieces.epochs, whole.epochs);
  EXPECT_EQ(pieces.firsts, whole.firsts);
  EXPECT_TRUE(same_bits(pieces.H, whole.H));
  EXPECT_TRUE(same_bits(pieces.R, whole.R));
}

TEST(Resume, AlsoWithoutAFile) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = settings_for(algorithm);
    const auto expected = Trainer<double>(settings).fit(data<double>()).model;
    Trainer<double> trainer(settings);
    for (int piece = 0; piece < 3; ++piece) {
      StopAfter observer(3);
      FitOptions<double> options;
      options.observer = &observer;
      options.resume = piece > 0;
      EXPECT_EQ(trainer.fit(data<double>(), options).status, Status::interrupted);
    }
    FitOptions<double> options;
    options.resume = true;
    EXPECT_TRUE(bytes_of(trainer.fit(data<double>(), options).model) == bytes_of(expected));
  }
}

TEST(Resume, ACheckpointIsAStateToGoOnFrom) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const TemporaryFolder folder;
    FitOptions<double> options;
    options.checkpoint = folder / "checkpoint.h5";
    options.checkpoint_every = 5;
    const auto expected = Trainer<double>(settings_for(algorithm)).fit(data<double>(), options);
    auto loaded = Trainer<double>::load(options.checkpoint);
    EXPECT_EQ(loaded.model().batches, 10);
    FitOptions<double> resume;
    resume.resume = true;
    EXPECT_TRUE(bytes_of(loaded.fit(data<double>(), resume).model) == bytes_of(expected.model));
  }
}

// Stopped after its last pass, which nobody knew to be the last: the codes are those of that pass.
TEST(Resume, CodesOfABatchAlgorithmThatWasStoppedAtTheEnd) {
  for (const Algorithm& algorithm : batch_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const TemporaryFolder folder;
    Collector<double> expected;
    FitOptions<double> options;
    options.sink = &expected;
    Trainer<double>(settings_for(algorithm)).fit(data<double>(), options);
    StopAfter observer(12);
    Collector<double> nothing;
    FitOptions<double> stopping;
    stopping.observer = &observer;
    stopping.sink = &nothing;
    Trainer<double> trainer(settings_for(algorithm));
    ASSERT_EQ(trainer.fit(data<double>(), stopping).status, Status::interrupted);
    trainer.save(folder / "state.h5");
    Trainer<double> loaded = Trainer<double>::load(folder / "state.h5");
    for (Trainer<double>* one : {&trainer, &loaded}) {
      Collector<double> found;
      FitOptions<double> resume;
      resume.resume = true;
      resume.sink = &found;
      EXPECT_EQ(one->fit(data<double>(), resume).status, Status::iteration_limit);
      EXPECT_TRUE(same_bits(found.H, expected.H));
      EXPECT_TRUE(same_bits(found.R, expected.R));
    }
  }
}

// The last checkpoint of a fit with a sink says that all is learned: only names are missing.
TEST(Resume, OfAFitThatHasEndedChangesNothing) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const TemporaryFolder folder;
    Collector<double> sink;
    FitOptions<double> options;
    options.checkpoint = folder / "checkpoint.h5";
    options.sink = &sink;
    const auto expected = Trainer<double>(settings_for(algorithm)).fit(data<double>(), options);
    Trainer<double> loaded = Trainer<double>::load(options.checkpoint);
    EXPECT_TRUE(loaded.ended());
    Collector<double> nothing;
    FitOptions<double> resume;
    resume.resume = true;
    resume.sink = &nothing;
    const auto result = loaded.fit(data<double>(), resume);
    EXPECT_EQ(result.status, expected.status);
    EXPECT_TRUE(bytes_of(result.model) == bytes_of(expected.model));
    EXPECT_EQ(nothing.H.size(), 0);
    if (is_batch(algorithm)) continue;
    EXPECT_EQ(loaded.partial_fit(data<double>()), Status::completed);
    EXPECT_FALSE(loaded.ended());
  }
}

// Without `resume` a loaded state is a start for more training on other data.
TEST(Resume, IsOnlyDoneWhenAskedFor) {
  const TemporaryFolder folder;
  Trainer<double> trainer(settings_for(Fast{}));
  trainer.fit(data<double>());
  trainer.save(folder / "state.h5");
  auto loaded = Trainer<double>::load(folder / "state.h5");
  const auto result = loaded.fit(data<double>());
  EXPECT_EQ(result.info.samples, 3 * 29);
  EXPECT_EQ(result.model.samples, 6 * 29);
  EXPECT_TRUE(bytes_of(result.model) == bytes_of(trainer.fit(data<double>()).model));
}

// A finished model has all that these remember.
TEST(Resume, LearningGoesOnFromAFinishedModel) {
  for (const Algorithm& algorithm : {Algorithm(Fast{}), Algorithm(Opgd{}), Algorithm(Oadmm{})}) {
    SCOPED_TRACE(name_of(algorithm));
    const TemporaryFolder folder;
    Trainer<double> trainer(settings_for(algorithm));
    trainer.fit(data<double>()).model.save(folder / "model.h5");
    Trainer<double> other(Model<double>::load(folder / "model.h5"));
    for (Trainer<double>* one : {&trainer, &other})
      EXPECT_EQ(one->partial_fit(data<double>()), Status::completed);
    EXPECT_TRUE(bytes_of(other.model()) == bytes_of(trainer.model()));
  }
}

}  // namespace
}  // namespace tamis::test
