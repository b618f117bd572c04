// The hot kernels, and next to each what it is measured by: OpenBLAS on the same shapes, or the
// speed of memory. One thread.
#include <benchmark/benchmark.h>

#include <numeric>
#include <string>
#include <vector>

#include "algorithm/fast.hpp"
#include "dictionary/coordinate.hpp"
#include "encoder/row_tasks.hpp"
#include "kernels/blas.hpp"
#include "kernels/panel.hpp"
#include "prepare.hpp"

namespace {

using tamis::Index;
using tamis::Matrix;
using tamis::Vector;
using tamis::kernels::Panel;

constexpr Index iterations = 10;

// Planted parts with some outliers, so that the encoder has what it usually has to do.
struct Case {
  Index F, K, n;
  Matrix<float> W, V, X_transposed, Y, S_transposed;
  tamis::Settings settings;

  explicit Case(const benchmark::State& state)
      : F(state.range(0)), K(state.range(1)), n(state.range(2)) {
    W = Matrix<float>::Random(F, K).cwiseAbs();
    W.colwise().normalize();
    const Matrix<float> H = Matrix<float>::Random(K, n).cwiseAbs();
    V = W * H;
    for (Index i = 0; i < V.size(); i += 17) V.data()[i] += 1;
    X_transposed = H.transpose();
    Y = V;
    S_transposed.resize(n, K);
    settings.rank = K;
    settings.algorithm = tamis::Fast{.iterations = iterations};
    settings.lambda = tamis::LambdaValue{0.1};
    settings.threads = 1;
    settings = settings.resolved();
  }
};

void rate(benchmark::State& state, double flops, double bytes) {
  state.counters["GFLOPS"] = benchmark::Counter(
      flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
  state.SetBytesProcessed(std::int64_t(bytes) * state.iterations());
}

// The two products of one encoder iteration, by OpenBLAS
void gemm_pair(benchmark::State& state) {
  Case c(state);
  const tamis::blas::SingleThreaded guard;
  const Matrix<float> H = c.X_transposed.transpose();
  Matrix<float> S(c.K, c.n);
  for (auto _ : state) {
    tamis::blas::gemm('N', 'N', 1.0F, c.W, H, 0.0F, c.Y);
    tamis::blas::gemm('T', 'N', 1.0F, c.W, c.Y, 0.0F, S);
    benchmark::DoNotOptimize(S.data());
  }
  rate(state, 4.0 * double(c.F * c.K * c.n), 4.0 * double(c.F) * double(c.K + c.n));
}

// The same by our kernels, shrinkage included, panel by panel
void fused_pair(benchmark::State& state) {
  Case c(state);
  const tamis::RowTasks panels(c.F, c.K + 2 * c.n);
  const tamis::Executor serial;
  std::vector<Index> columns(std::size_t(c.n));
  std::iota(columns.begin(), columns.end(), Index(0));
  const tamis::kernels::Shrinkage<float> shrinkage{0.1F, 1, -1, 1};
  const tamis::kernels::Samples<float> V{Panel<const float>(c.V), {}, 1};
  Matrix<float> Y(panels.panel_rows(), c.n);
  for (auto _ : state) {
    panels.run(serial, [&](Index, int, Index top, Index rows) {
      const Panel<const float> W(c.W.middleRows(top, rows));
      const Panel<float> panel(Y.data(), Y.rows(), rows, c.n);
      tamis::kernels::cleaned_product<float>(W, Panel<const float>(c.X_transposed),
                                             V.middle_rows(top, rows), columns.data(), shrinkage,
                                             panel);
      tamis::kernels::back_product<float>(W, panel, top > 0, Panel<float>(c.S_transposed));
    });
    benchmark::DoNotOptimize(c.S_transposed.data());
  }
  rate(state, 4.0 * double(c.F * c.K * c.n), 4.0 * double(c.F) * double(c.K + c.n));
}

// All of encoding a mini-batch: G, its inverse, start, iterations, outliers, losses. Counted are
// the products with W alone: Wᵀv, a pair before and within each iteration, Wu.
void encoder(benchmark::State& state) {
  Case c(state);
  const tamis::blas::SingleThreaded guard;
  const tamis::Executor serial;
  tamis::FastAlgorithm<float> algorithm(std::get<tamis::Fast>(c.settings.algorithm), c.settings);
  const tamis::Problem<float> problem(c.settings, 0.1);
  tamis::Batch<float> batch;
  tamis::prepare<float>(c.V, {}, c.settings, c.F, serial, batch);
  for (auto _ : state) {
    batch.resize_results(c.K);
    algorithm.encode(c.W, problem, serial, batch);
    benchmark::DoNotOptimize(batch.H.data());
  }
  const double pairs = double(iterations) + 1;
  rate(state, 4.0 * pairs * double(c.F * c.K * c.n), 4.0 * pairs * double(c.F) * double(c.K + c.n));
}

// Two coordinate sweeps over W
void sweeps(benchmark::State& state) {
  Case c(state);
  const tamis::Executor serial;
  const Matrix<double> H = c.X_transposed.transpose().cast<double>();
  const Matrix<double> A = H * H.transpose() + Matrix<double>::Identity(c.K, c.K);
  const Matrix<double> B = c.V.cast<double>() * H.transpose();
  tamis::CoordinateUpdate<float> update;
  for (auto _ : state) {
    update.update_free(A, B, {2, 0}, 0.F, serial, c.W);
    benchmark::DoNotOptimize(c.W.data());
  }
  rate(state, 2 * 2.0 * double(c.F * c.K * c.K), double(c.F * c.K) * (8 + 8));
}

// B ← keep·B + add·YHᵀ
void absorb(benchmark::State& state) {
  Case c(state);
  const Matrix<float> H = c.X_transposed.transpose();
  Matrix<double> B = Matrix<double>::Zero(c.F, c.K);
  for (auto _ : state) {
    tamis::kernels::absorb_product<float>(Panel<const float>(c.Y), Panel<const float>(H), 0.9, 0.1,
                                          Panel<double>(B));
    benchmark::DoNotOptimize(B.data());
  }
  rate(state, 2.0 * double(c.F * c.K * c.n), double(c.F * c.K) * 16 + 4.0 * double(c.F * c.n));
}

// What memory delivers to one core that only adds
void stream(benchmark::State& state) {
  const Vector<float> large = Vector<float>::Ones(Index(1) << 28);
  for (auto _ : state) benchmark::DoNotOptimize(large.sum());
  state.SetBytesProcessed(4 * large.size() * state.iterations());
}

const std::vector<std::string> names = {"F", "K", "n"};

void mini_batches(benchmark::internal::Benchmark* b) {
  b->ArgNames(names);
  for (const Index n : {16, 64, 256}) b->Args({361, 49, n});
  b->Args({400, 49, 64})->Args({4096, 49, 64})->Args({361, 100, 64});
}

void frames(benchmark::internal::Benchmark* b) {
  b->ArgNames(names);
  for (const Index F : {25344, 307200})
    for (const Index K : {5, 10, 49}) b->Args({F, K, 8});
  b->Args({307200, 5, 1})->Args({2073600, 5, 8});
}

BENCHMARK(stream)->UseRealTime();
BENCHMARK(gemm_pair)->Apply(mini_batches)->Apply(frames);
BENCHMARK(fused_pair)->Apply(mini_batches)->Apply(frames);
BENCHMARK(encoder)->Apply(mini_batches)->Apply(frames);
BENCHMARK(sweeps)->ArgNames(names)->Args({361, 49, 64})->Args({25344, 49, 8})->Args({307200, 5, 8});
BENCHMARK(absorb)->ArgNames(names)->Args({361, 49, 64})->Args({25344, 49, 8})->Args({307200, 5, 8});

}  // namespace
