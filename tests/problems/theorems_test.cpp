// The study's convergence theorems, observed: no forgetting, i.i.d. samples, one pass, both subproblems solved
// accurately.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr Index rank = 3;
constexpr Index tau = 4;
constexpr double lambda = 0.1;

SceneRecipe recipe(Index samples) {
  return {.features = 12,
          .rank = rank,
          .samples = samples,
          .noise = 0.05,
          .outlier_share = 0.05,
          .outlier_size = 1,
          .seed = 101};
}

Settings settings() {
  Settings s = plain_settings(
      rank, Fast{.iterations = 2000, .tolerance = 1e-9, .sweeps = 500, .update_tolerance = 1e-9});
  s.lambda = LambdaValue{lambda};
  s.max_outlier = std::numeric_limits<double>::infinity();
  s.batch_size = tau;
  return s;
}

constexpr EncodeOptions accurate{.tolerance = 1e-9, .iterations = 20000, .threads = 0};

// ‖W − P_C(W − ∇f(W))‖_F with ∇f(W) = mean of (Wh + r − v)hᵀ over fresh samples: 0 at a stationary point.
double stationarity_residual(const Model<double>& model, const Matrix<double>& fresh) {
  const auto encoding = model.encode(fresh, accurate);
  const Matrix<double> gradient = (model.W * encoding.H + encoding.R - fresh) *
                                  encoding.H.transpose() / double(fresh.cols());
  Matrix<double> stepped = model.W - gradient;
  for (Index j = 0; j < stepped.cols(); ++j) Ball{}.project<double>(stepped.col(j));
  return (model.W - stepped).norm();
}

// f_t(W): the mean of the least losses of all samples seen so far
double empirical_loss(const Model<double>& model, const Matrix<double>& seen) {
  return model.encode(seen, accurate).loss.mean();
}

// One pass, with the model kept at a few moments.
struct Stream {
  Index N;
  Matrix<double> V;
  FitResult<double> result;
  std::map<Index, Model<double>> at;  // after so many samples

  explicit Stream(Index samples) : N(samples), V(make_scene(recipe(samples)).V) {
    Keeper keeper{*this};
    Trainer<double> trainer(settings());
    FitOptions<double> options;
    keeper.trainer = &trainer;
    options.observer = &keeper;
    result = trainer.fit(V, options);
  }

  struct Keeper final : Observer {
    explicit Keeper(Stream& stream_) : stream(stream_) {}
    bool on_batch(const Progress& progress) override {
      for (const Index part : {64, 16, 4, 1}) {
        if (progress.samples == stream.N / part) stream.at.emplace(progress.samples, trainer->model());
      }
      return true;
    }
    Stream& stream;
    Trainer<double>* trainer = nullptr;
  };
};

class Theorems : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { stream = new Stream(low_effort() ? 1024 : 4096); }
  static void TearDownTestSuite() {
    delete stream;
    stream = nullptr;
  }

  static const Stream* stream;
};

const Stream* Theorems::stream = nullptr;

TEST_F(Theorems, Print) {
  const auto& p = stream->result.info.trace.points();
  for (std::size_t i = 0; i < p.size(); i = i < 8 ? i + 1 : std::size_t(double(i) * 1.3))
    printf("%ld f~ %.6f change %.3e t*change %.4f\n", p[i].samples, p[i].objective, p[i].change,
           double(p[i].samples) * p[i].change);
  const auto fresh = make_scene(recipe(20000), 1000000).V;
  for (auto& [t, m] : stream->at)
    printf("%ld f~ %.8f f %.8f gap %.3e res %.4e\n", t, m.surrogate(),
           empirical_loss(m, stream->V.leftCols(t)),
           m.surrogate() - empirical_loss(m, stream->V.leftCols(t)), stationarity_residual(m, fresh));
  Model<double> start = stream->result.model;
  start.W = UniformInit{}.make<double>(stream->V, rank, 7);
  for (Index j = 0; j < rank; ++j) Ball{}.project<double>(start.W.col(j));
  printf("start %.4e\n", stationarity_residual(start, fresh));
}

}  // namespace
}  // namespace tamis::test
