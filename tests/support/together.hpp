// A fit by several ranks, which are threads here.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/kit.hpp"
#include "tamis/error.hpp"
#include "tamis/thread_group.hpp"

namespace tamis::test {

template <class T>
struct Ensemble {
  int ranks = 2;
  Settings settings;
  std::function<std::unique_ptr<Source<T>>(int rank)> source;
  std::function<void(int rank, FitOptions<T>& options)> options = [](int, FitOptions<T>&) {};
  std::string resume = {};  // a saved state to go on from

  // What each rank learned
  std::vector<FitResult<T>> fit() const {
    std::vector<FitResult<T>> results(static_cast<std::size_t>(ranks));
    ThreadGroup::run(ranks, [&](Communicator& comm) {
      FitOptions<T> mine;
      mine.distribution.comm = &comm;
      mine.resume = !resume.empty();
      options(comm.rank(), mine);
      auto trainer = resume.empty() ? Trainer<T>(settings) : Trainer<T>::load(resume);
      const auto samples = source(comm.rank());
      results[std::size_t(comm.rank())] = trainer.fit(*samples, mine);
    });
    return results;
  }
};

// All ranks read the columns of V.
template <class T>
Ensemble<T> ensemble(int ranks, const Settings& settings, const Matrix<T>& V) {
  return {ranks, settings, [&V](int) { return std::make_unique<MatrixSource<T>>(V); }};
}

// The same with more things set
template <class T, class More>
Ensemble<T> with(Ensemble<T> together, const More& more) {
  together.options = [before = together.options, more](int rank, FitOptions<T>& options) {
    before(rank, options);
    more(rank, options);
  };
  return together;
}

// Ranks that learn from sums one mini-batch late
template <class T>
Ensemble<T> late_ensemble(int ranks, const Settings& settings, const Matrix<T>& V) {
  return with(ensemble(ranks, settings, V),
              [](int, auto& options) { options.distribution.async = true; });
}

inline Settings settings_for(const Algorithm& algorithm, Index batch) {
  Settings settings = plain_settings(4, algorithm);
  settings.batch_size = batch;
  return settings;
}

// Adds a little to what one rank gets, once: as if its processor rounded differently.
class Drifting final : public Communicator {
 public:
  explicit Drifting(Communicator& comm) : comm_(comm) {}
  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  void all_reduce(std::span<double> values, std::span<float> more) override {
    comm_.all_reduce(values, more);
    drift(values);
  }
  void start_all_reduce(Addends mine) override { comm_.start_all_reduce(std::move(mine)); }
  Addends finish_all_reduce() override {
    Addends sums = comm_.finish_all_reduce();
    drift(sums.values);
    return sums;
  }

 private:
  void drift(std::span<double> values) {
    constexpr int late_enough = 20;
    if (rank() == 1 && ++calls_ == late_enough) values.back() *= 1 + 1e-12;
  }

  Communicator& comm_;
  int calls_ = 0;
};

template <class T>
void expect_same_everywhere(const std::vector<FitResult<T>>& results) {
  for (const auto& result : results) {
    EXPECT_TRUE(bytes_of(result.model) == bytes_of(results[0].model));
    EXPECT_EQ(result.status, results[0].status);
    EXPECT_EQ(result.info.samples, results[0].info.samples);
    EXPECT_EQ(result.info.batches, results[0].info.batches);
  }
}

template <class T>
void expect_close(const Model<T>& x, const Model<T>& y, double tolerance) {
  const auto expect_near = [&](const auto& a, const auto& b, const char* name) {
    EXPECT_LE(double((a - b).norm()), tolerance * double(b.norm())) << name;
  };
  expect_near(x.W, y.W, "W");
  expect_near(x.A, y.A, "A");
  expect_near(x.B, y.B, "B");
  EXPECT_NEAR(x.c, y.c, tolerance * std::abs(y.c));
  EXPECT_NEAR(x.weight, y.weight, tolerance * y.weight);
  EXPECT_NEAR(x.sigma, y.sigma, tolerance * y.sigma);
  if (std::isfinite(y.lambda)) {
    EXPECT_NEAR(x.lambda, y.lambda, tolerance * y.lambda);
  }
  EXPECT_EQ(x.samples, y.samples);
  EXPECT_EQ(x.batches, y.batches);
  EXPECT_EQ(x.epoch, y.epoch);
  EXPECT_EQ(x.position, y.position);
  EXPECT_EQ(x.reseeded, y.reseeded);
}

// One bad entry, on whichever of three ranks it falls: that one says so, the others that it failed,
// and none has learned anything.
inline void expect_bad_data_ends_all(const Settings& settings, Matrix<double> V, Index sample,
                                     bool late) {
  V(3, sample) = std::numeric_limits<double>::infinity();
  std::mutex mutex;
  std::vector<std::string> said;
  const auto fit = [&](Communicator& comm) {
    Trainer<double> trainer(settings);
    FitOptions<double> options;
    options.distribution.comm = &comm;
    options.distribution.async = late;
    try {
      trainer.fit(V, options);
      ADD_FAILURE() << "rank " << comm.rank();
    } catch (const Error& error) {
      EXPECT_FALSE(trainer.model().trained()) << "as it was before";
      const std::lock_guard lock(mutex);
      said.emplace_back(error.what());
      throw;
    }
  };
  EXPECT_THROW(ThreadGroup::run(3, fit), DataError);
  EXPECT_EQ(said.size(), 3u);
  EXPECT_EQ(std::ranges::count(said, "another rank failed"), 2);
}

// P ranks with mini-batches of τ against one process with mini-batches of P·τ
template <class T>
void expect_equivalent(const Ensemble<T>& together, double tolerance) {
  SCOPED_TRACE(::testing::Message() << together.ranks << " ranks");
  const auto results = together.fit();
  expect_same_everywhere(results);
  Settings alone = together.settings;
  alone.batch_size = *alone.batch_size * together.ranks;
  const auto source = together.source(0);
  const auto single = Trainer<T>(alone).fit(*source);
  expect_close(results[0].model, single.model, tolerance);
  EXPECT_EQ(results[0].status, single.status);
  EXPECT_EQ(results[0].info.samples, single.info.samples);
  EXPECT_EQ(results[0].info.batches, single.info.batches);
  EXPECT_NEAR(results[0].info.objective, single.info.objective,
              tolerance * std::abs(single.info.objective));
}

}  // namespace tamis::test
