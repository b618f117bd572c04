// The surrogate, the sinks and the units: what is reported is what was computed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

Matrix<double> data() {
  return make_scene({.features = 14,
                     .rank = 3,
                     .samples = 45,
                     .noise = 0.03,
                     .outlier_share = 0.1,
                     .outlier_size = 2,
                     .seed = 41})
      .V;
}

// f̃(W) = mean over all samples of ½‖v − Wh − r‖² + λ‖r‖₁ + ψ(h) with the codes they had on arrival,
// plus the penalty on W. `orpca` has λ₁/2 of ‖h‖² and of ‖W‖_F²/N besides, λ₁ = 1/√F.
double brute_force_surrogate(const Matrix<double>& V, const Collector<double>& codes,
                             const Model<double>& model, double lasso) {
  const Index N = codes.H.cols();
  const bool is_orpca = std::holds_alternative<Orpca>(model.settings.algorithm);
  const double lambda1 = is_orpca ? 1 / std::sqrt(double(V.rows())) : 0;
  double sum = lambda1 / 2 * model.W.squaredNorm();
  for (Index n = 0; n < N; ++n) {
    const Vector<double> v = V.col(n % V.cols());
    const double magnitude = codes.R.col(n).lpNorm<1>();
    sum += (v - model.W * codes.H.col(n) - codes.R.col(n)).squaredNorm() / 2;
    sum += magnitude > 0 ? model.lambda * magnitude : 0;
    sum += lasso * codes.H.col(n).sum() + lambda1 / 2 * codes.H.col(n).squaredNorm();
  }
  const DictionaryPenalty& penalty = model.settings.dictionary_penalty;
  return sum / double(N) + penalty.l1 * model.W.lpNorm<1>() +
         penalty.l2 / 2 * model.W.squaredNorm();
}

void expect_surrogate(const Settings& settings, double lasso = 0) {
  const auto V = data();
  Collector<double> sink;
  FitOptions<double> options;
  options.sink = &sink;
  const auto result = Trainer<double>(settings).fit(V, options);
  const double expected = brute_force_surrogate(V, sink, result.model, lasso);
  EXPECT_NEAR(result.model.surrogate(), expected, 1e-10 * expected);
  EXPECT_NEAR(result.info.objective, expected, 1e-10 * expected);
}

TEST(Surrogate, IsTheMeanLossWithTheCodesOnArrival) {
  for (const Algorithm& algorithm : online_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = plain_settings(3, algorithm);
    if (std::holds_alternative<Fast>(algorithm)) settings.constraint = Simplex{};  // no rescaling
    settings.epochs = 2;
    expect_surrogate(settings);
  }
}

TEST(Surrogate, CountsThePenalties) {
  for (const Algorithm& algorithm : with(online_algorithms(), &AlgorithmScope::code_penalty)) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = plain_settings(3, algorithm);
    settings.code_penalty = Lasso{0.05};
    settings.dictionary_penalty = {.l1 = 0.01, .l2 = 0.1};
    expect_surrogate(settings, 0.05);
  }
}

// Rescaling W, A and B together is only a change of gauge: the value stays that of the codes on
// arrival.
TEST(Surrogate, OfOneBatchDoesNotDependOnTheGauge) {
  Settings settings = plain_settings(3);
  settings.batch_size = 1000;
  const auto V = data();
  Collector<double> sink;
  FitOptions<double> options;
  options.sink = &sink;
  const auto model = Trainer<double>(settings).fit(V, options).model;
  // The best W for these codes, at any scale, is at least as good; the sweeps come close.
  double at_codes = 0;
  const Matrix<double> Y = V - sink.R;
  const Matrix<double> free_W = Y * sink.H.transpose() * (sink.H * sink.H.transpose()).inverse();
  at_codes = (Y - free_W * sink.H).squaredNorm() / 2 + model.lambda * sink.R.lpNorm<1>();
  EXPECT_GE(model.surrogate(), at_codes / 45 - 1e-12);
  EXPECT_NEAR(model.W.colwise().norm().maxCoeff(), 1, 1e-12);
  EXPECT_NEAR(model.W.colwise().norm().minCoeff(), 1, 1e-12);
}

TEST(Surrogate, ForgetsWithTheStatistics) {
  const auto V = data();
  Settings settings = plain_settings(3, Opgd{});
  settings.batch_size = 15;
  settings.forget = ForgetDecay{0.9};
  Collector<double> sink;
  FitOptions<double> options;
  options.sink = &sink;
  const auto model = Trainer<double>(settings).fit(V, options).model;
  double sum = 0;
  double weight = 0;
  for (Index n = 0; n < 45; ++n) {
    const Index batch = n / 15;
    const double faded = std::pow(0.9, 15.0 * double(2 - batch));
    sum += faded * ((V.col(n) - model.W * sink.H.col(n) - sink.R.col(n)).squaredNorm() / 2 +
                    0.1 * sink.R.col(n).lpNorm<1>());
    weight += faded;
  }
  EXPECT_NEAR(model.weight, weight, 1e-12 * weight);
  EXPECT_NEAR(model.surrogate(), sum / weight, 1e-10);
}

TEST(Sink, ReceivesPartsThatAddUpToTheSample) {
  const auto V = data();
  for (const Algorithm& algorithm : with(online_algorithms(), &AlgorithmScope::outliers)) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = plain_settings(3, algorithm);
    settings.epochs = 3;
    settings.max_outlier = std::numeric_limits<double>::infinity();
    Collector<double> sink;
    FitOptions<double> options;
    options.sink = &sink;
    const auto model = Trainer<double>(settings).fit(V, options).model;
    EXPECT_EQ(sink.H.minCoeff() < 0, scope_of(algorithm).signed_codes);
    const Matrix<double> last_H = sink.H.rightCols(45);
    const Matrix<double> last_R = sink.R.rightCols(45);
    EXPECT_LT((V - model.W * last_H - last_R).norm(), 0.2 * V.norm());
  }
}

TEST(Normalize, IsUndoneInTheOutputs) {
  const auto V = data();
  // Samples of very different size
  const Vector<double> size = Vector<double>::LinSpaced(45, 1, 300);
  const Matrix<double> scaled = V * size.asDiagonal();
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Settings settings = plain_settings(3, algorithm);
    settings.normalize = NormalizeMax{};
    Collector<double> plain_sink;
    Collector<double> scaled_sink;
    FitOptions<double> options;
    options.sink = &plain_sink;
    const auto plain = Trainer<double>(settings).fit(V, options).model;
    options.sink = &scaled_sink;
    const auto large = Trainer<double>(settings).fit(scaled, options).model;
    // Scaled to unit maximum they are the same samples; the outputs differ by their size.
    EXPECT_LT((large.W - plain.W).norm(), 1e-9);
    const Matrix<double> H = plain_sink.H.rightCols(45) * size.asDiagonal();
    const Matrix<double> R = plain_sink.R.rightCols(45) * size.asDiagonal();
    EXPECT_LT((scaled_sink.H.rightCols(45) - H).norm(), 1e-8 * H.norm());
    EXPECT_LE((scaled_sink.R.rightCols(45) - R).norm(), 1e-8 * R.norm());
    if (!scope_of(algorithm).outliers) continue;
    EXPECT_GT(R.norm(), 0);
    const auto encoding = large.encode(scaled);
    const Matrix<double> rest = scaled - large.reconstruct(encoding.H) - encoding.R;
    EXPECT_LT((rest * size.cwiseInverse().asDiagonal()).norm(), 0.3 * V.norm());
  }
}

TEST(Normalize, ABlackSampleStaysBlack) {
  Matrix<double> V = data();
  V.col(3).setZero();
  Settings settings = plain_settings(3);
  settings.normalize = NormalizeMax{};
  const auto model = Trainer<double>(settings).fit(V).model;
  const auto encoding = model.encode(V);
  EXPECT_EQ(encoding.H.col(3).norm(), 0);
  EXPECT_EQ(encoding.R.col(3).norm(), 0);
}

}  // namespace
}  // namespace tamis::test
