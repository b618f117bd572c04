// Several fits and encodes in one process: nothing is shared, so each gives the bits it gives
// alone.
#include <gtest/gtest.h>

#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include "support/kit.hpp"
#include "support/scene.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

// Begins all of them at the same moment.
void at_once(const std::vector<std::function<void()>>& works) {
  std::latch ready(std::ptrdiff_t(works.size()));
  std::vector<std::jthread> threads;
  threads.reserve(works.size());
  for (const auto& work : works) {
    threads.emplace_back([&] {
      ready.arrive_and_wait();
      work();
    });
  }
}

Matrix<float> data() {
  return make_scene({.features = 600, .rank = 4, .samples = low_effort() ? 60 : 160, .seed = 3})
      .V.cast<float>();
}

Settings settings_for(const Algorithm& algorithm, Index threads) {
  Settings settings = plain_settings(4, algorithm);
  settings.batch_size = 20;
  settings.threads = threads;
  return settings;
}

TEST(Concurrency, TrainersWithDifferentNumbersOfThreads) {
  const Matrix<float> V = data();
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const std::vector<Index> threads = {1, 2, 0, 64};
    const Model<float> alone = Trainer<float>(settings_for(algorithm, 1)).fit(V).model;
    std::vector<Model<float>> models(threads.size());
    std::vector<std::function<void()>> works;
    for (std::size_t i = 0; i < threads.size(); ++i)
      works.emplace_back(
          [&, i] { models[i] = Trainer<float>(settings_for(algorithm, threads[i])).fit(V).model; });
    at_once(works);
    for (std::size_t i = 0; i < threads.size(); ++i)
      EXPECT_TRUE(learned_bytes_of(models[i]) == learned_bytes_of(alone))
          << threads[i] << " threads";
  }
}

// Different algorithms, precisions and seeds in each other's company
TEST(Concurrency, TrainersOfDifferentKinds) {
  const Matrix<double> V = data().cast<double>();
  std::vector<Settings> settings;
  for (const Algorithm& algorithm : all_algorithms()) {
    settings.push_back(settings_for(algorithm, Index(settings.size() % 3)));
    settings.back().seed = settings.size();
  }
  std::vector<std::string> alone, together(settings.size());
  for (const Settings& one : settings) alone.push_back(bytes_of(Trainer<double>(one).fit(V).model));
  std::vector<std::function<void()>> works;
  for (std::size_t i = 0; i < settings.size(); ++i)
    works.emplace_back(
        [&, i] { together[i] = bytes_of(Trainer<double>(settings[i]).fit(V).model); });
  at_once(works);
  for (std::size_t i = 0; i < settings.size(); ++i)
    EXPECT_TRUE(together[i] == alone[i]) << name_of(settings[i].algorithm);
}

TEST(Concurrency, OneModelEncodesForManyWhileOthersLearn) {
  const Matrix<float> V = data();
  const Model<float> model = Trainer<float>(settings_for(Fast{}, 1)).fit(V).model;
  const std::string untouched = bytes_of(model);
  const Encoding<float> rough = model.encode(V, {.tolerance = 1e-2});
  const Encoding<float> exact = model.encode(V, {.tolerance = 1e-6});
  const Matrix<float> W = Trainer<float>(settings_for(Opgd{}, 2)).fit(V).model.W;
  std::vector<int> wrong(12, -1);
  std::vector<std::function<void()>> works;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    works.emplace_back([&, i] {
      wrong[i] = 0;
      for (int time = 0; time < (low_effort() ? 2 : 6); ++time) {
        if (i % 4 == 3) {
          wrong[i] +=
              Trainer<float>(settings_for(Opgd{}, Index(i) % 3)).fit(V).model.W == W ? 0 : 1;
          continue;
        }
        const bool is_rough = i % 2 == 0;
        const auto found =
            model.encode(V, {.tolerance = is_rough ? 1e-2 : 1e-6, .threads = Index(i) % 3});
        const auto& expected = is_rough ? rough : exact;
        wrong[i] += found.H == expected.H && found.R == expected.R ? 0 : 1;
      }
    });
  }
  at_once(works);
  EXPECT_EQ(wrong, std::vector<int>(wrong.size(), 0));
  EXPECT_TRUE(bytes_of(model) == untouched);
}

// The HDF5 library itself is not safe for several threads.
TEST(Concurrency, ModelsAreSavedAndLoadedAtOnce) {
  const TemporaryFolder folder;
  const Matrix<float> V = data();
  const Model<float> model = Trainer<float>(settings_for(Fast{}, 1)).fit(V).model;
  std::vector<int> same(8, 0);
  std::vector<std::function<void()>> works;
  for (std::size_t i = 0; i < same.size(); ++i) {
    works.emplace_back([&, i] {
      const std::string path = folder / (std::to_string(i) + ".h5");
      for (int time = 0; time < 5; ++time) {
        model.save(path);
        if (bytes_of(Model<float>::load(path)) == bytes_of(model)) ++same[i];
      }
    });
  }
  at_once(works);
  EXPECT_EQ(same, std::vector<int>(same.size(), 5));
  EXPECT_EQ(folder.entries(), 8);  // and nothing else
}

}  // namespace
}  // namespace tamis::test
