// Ranks that bring the parts of one mini-batch after another.
#include <numeric>
#include <span>

#include "support/scene.hpp"
#include "support/together.hpp"
#include "tamis/error.hpp"

namespace tamis::test {
namespace {

constexpr int ranks = 3;
const std::vector<std::vector<Index>> counts_of_batches = {{10, 0, 20}, {0, 1, 0}, {7, 30, 5}};

Settings settings_of(const Algorithm& algorithm) {
  Settings settings;
  settings.algorithm = algorithm;
  settings.rank = 4;
  settings.seed = 3;
  return settings;
}

Matrix<double> data() {
  return make_scene({.features = 24, .rank = 4, .samples = 73, .seed = 5}).V;
}

// Every rank calls work(comm, trainer, its samples, their counts) for each mini-batch.
template <class Work>
std::vector<Model<double>> learn_together(const Settings& settings, const Work& work) {
  const Matrix<double> V = data();
  std::vector<Model<double>> models(ranks);
  ThreadGroup::run(ranks, [&](Communicator& comm) {
    Trainer<double> trainer(settings);
    Index first = 0;
    for (const auto& counts : counts_of_batches) {
      const auto us = counts.begin() + comm.rank();
      const Matrix<double> mine = V.middleCols(std::accumulate(counts.begin(), us, first), *us);
      work(comm, trainer, mine, std::span<const Index>(counts));
      first = std::accumulate(counts.begin(), counts.end(), first);
    }
    models[std::size_t(comm.rank())] = trainer.model();
  });
  return models;
}

Model<double> learn_alone(const Settings& settings) {
  const Matrix<double> V = data();
  Trainer<double> trainer(settings);
  Index first = 0;
  for (const auto& counts : counts_of_batches) {
    const Index n = std::accumulate(counts.begin(), counts.end(), Index(0));
    trainer.partial_fit(V.middleCols(first, n));
    first += n;
  }
  return trainer.model();
}

// oadmm draws its first codes by the number of a sample, which depends on what others have.
TEST(RanksPartialFit, IsThatOfOneProcess) {
  for (const Algorithm& algorithm : {Algorithm(Fast{}), Algorithm(Oadmm{})}) {
    const Settings settings = settings_of(algorithm);
    const Model<double> alone = learn_alone(settings);
    for (const bool counts_are_known : {false, true}) {
      const auto models = learn_together(
          settings, [&](Communicator& comm, auto& trainer, const auto& V, auto counts) {
            const Status status =
                trainer.partial_fit(V, Vector<double>(), {.comm = &comm, .own_samples = true},
                                    counts_are_known ? counts : std::span<const Index>());
            EXPECT_EQ(status, Status::completed);
          });
      for (const auto& model : models) {
        expect_close(model, alone, 1e-10);
        EXPECT_TRUE(bytes_of(model) == bytes_of(models[0]));
      }
    }
  }
}

TEST(RanksPartialFit, ModelsThatDifferAreRefused) {
  const Matrix<double> V = data();
  EXPECT_THROW(ThreadGroup::run(2,
                                [&](Communicator& comm) {
                                  Trainer<double> trainer(settings_of(Fast{}));
                                  trainer.partial_fit(V.leftCols(20 + comm.rank()));
                                  trainer.partial_fit(V, Vector<double>(), {.comm = &comm});
                                }),
               DataError);
}

TEST(RanksPartialFit, OfNothingChangesNothing) {
  const Matrix<double> V = data();
  EXPECT_THROW(ThreadGroup::run(2,
                                [&](Communicator& comm) {
                                  Trainer<double> trainer(settings_of(Fast{}));
                                  try {
                                    trainer.partial_fit(V.leftCols(0), Vector<double>(),
                                                        {.comm = &comm});
                                  } catch (...) {
                                    EXPECT_FALSE(trainer.model().trained());
                                    EXPECT_EQ(trainer.model().W.size(), 0);
                                    throw;
                                  }
                                }),
               DataError);
}

TEST(Trainer, EndsAPass) {
  const Matrix<double> V = data();
  Settings settings = settings_of(Oadmm{});
  settings.batch_size = 73;
  settings.epochs = 2;
  Trainer<double> pieces(settings), whole(settings);
  whole.fit(V);
  for (int pass = 0; pass < 2; ++pass) {
    pieces.partial_fit(V);
    pieces.end_pass();
  }
  EXPECT_TRUE(bytes_of(pieces.model()) == bytes_of(whole.model()));
}

}  // namespace
}  // namespace tamis::test
