#include "support/hard_inputs.hpp"

#include <cmath>

#include "support/random_data.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index F = 12;
constexpr Index N = 20;

Matrix<double> ordinary() {
  return make_scene({.features = F, .rank = 3, .samples = N, .outlier_share = 0.1, .seed = 5}).V;
}

Matrix<double> noise(double low, double high) {
  judge::RandomData random(6);
  return (low + (high - low) * random.uniform_matrix(F, N).array()).matrix();
}

Matrix<double> of_low_rank() {
  judge::RandomData random(7);
  return random.uniform_matrix(F, 2) * random.uniform_matrix(2, N);
}

// Magnitudes from 1e-30 to 1e30 in every sample
Matrix<double> of_all_sizes() {
  return noise(-30, 30).array().unaryExpr([](double x) { return std::pow(10.0, x); });
}

Matrix<double> with_zero_samples() {
  Matrix<double> V = ordinary();
  for (Index j = 0; j < N; j += 3) V.col(j).setZero();
  return V;
}

Matrix<double> with_missing(Index row_step, Index col_step) {
  Matrix<double> V = ordinary();
  if (row_step > 0)
    for (Index i = 0; i < F; i += row_step) V.row(i).setConstant(nan);
  if (col_step > 0)
    for (Index j = 0; j < N; j += col_step) V.col(j).setConstant(nan);
  return V;
}

std::function<void(Settings&)> with_lambda(double value) {
  return [value](Settings& s) { s.lambda = LambdaValue{value}; };
}

void with_lambda_from_noise(Settings& s) {
  s.lambda = LambdaAuto{};
  s.max_outlier = std::numeric_limits<double>::infinity();
}

void with_reseeding(Settings& s) { s.reseed = true; }

std::vector<HardInput> hard_data() {
  return {
      {.name = "AllZero", .V = Matrix<double>::Zero(F, N)},
      {.name = "AllZeroReseeded", .V = Matrix<double>::Zero(F, N), .adjust = with_reseeding},
      {.name = "SomeZeroSamples", .V = with_zero_samples()},
      {.name = "Constant", .V = Matrix<double>::Constant(F, N, 0.7)},
      {.name = "OneSample", .V = ordinary().leftCols(1)},
      {.name = "OneFeature", .V = ordinary().topRows(1)},
      {.name = "OneAtom", .V = ordinary(), .rank = 1},
      {.name = "MoreAtomsThanSamples", .V = ordinary().leftCols(3), .rank = 8},
      {.name = "MoreAtomsThanFeatures", .V = ordinary(), .rank = 2 * F},
      {.name = "DuplicatedSamples", .V = ordinary().leftCols(2).replicate(1, N / 2), .rank = 6},
      {.name = "LowRank", .V = of_low_rank(), .rank = 6},
      {.name = "OutliersOnly", .V = noise(0, 100)},
      {.name = "Denormals", .V = ordinary() * 1e-40},
      {.name = "DenormalDoubles", .V = ordinary() * 1e-310},
      {.name = "Tiny", .V = ordinary() * 1e-30},
      {.name = "Small", .V = ordinary() * 1e-12},
      {.name = "Large", .V = ordinary() * 1e12},
      {.name = "Huge", .V = ordinary() * 1e30},
      {.name = "AllSizes", .V = of_all_sizes()},
      {.name = "MissingSamples", .V = with_missing(0, 3)},
      {.name = "MissingFeatures", .V = with_missing(4, 0)},
      {.name = "MissingBoth", .V = with_missing(5, 4)},
      {.name = "AllMissing", .V = Matrix<double>::Constant(F, N, nan)},
  };
}

std::vector<HardInput> hard_settings() {
  return {
      {.name = "LambdaZero", .V = ordinary(), .adjust = with_lambda(0)},
      {.name = "LambdaHuge", .V = ordinary(), .adjust = with_lambda(1e9)},
      {.name = "LambdaTiny", .V = ordinary(), .adjust = with_lambda(1e-30)},
      {.name = "BoundTiny", .V = ordinary(), .adjust = [](Settings& s) { s.max_outlier = 1e-20; }},
      {.name = "NoiseOfLowRank", .V = of_low_rank(), .adjust = with_lambda_from_noise, .rank = 2},
      {.name = "NoiseOfZeros", .V = Matrix<double>::Zero(F, N), .adjust = with_lambda_from_noise},
      {.name = "NoiseOfConstant",
       .V = Matrix<double>::Constant(F, N, 0.7),
       .adjust = with_lambda_from_noise},
      {.name = "NoiseOfTiny", .V = ordinary() * 1e-30, .adjust = with_lambda_from_noise},
      {.name = "NoiseOfHuge", .V = ordinary() * 1e30, .adjust = with_lambda_from_noise},
      {.name = "NoiseOfMissing", .V = with_missing(5, 4), .adjust = with_lambda_from_noise},
  };
}

}  // namespace

std::vector<HardInput> hard_inputs() {
  std::vector<HardInput> inputs = hard_data();
  for (const HardInput& input : hard_settings()) inputs.push_back(input);
  return inputs;
}

bool takes(const Algorithm& algorithm, const HardInput& input) {
  const AlgorithmScope scope = scope_of(algorithm);
  if (input.has_missing() && !scope.missing) return false;
  Settings settings = plain_settings(input.rank, algorithm);
  const Lambda before = settings.lambda.value();
  input.adjust(settings);
  const bool sets_lambda =
      settings.lambda->index() != before.index() ||
      (std::holds_alternative<LambdaValue>(before) &&
       std::get<LambdaValue>(*settings.lambda).value != std::get<LambdaValue>(before).value);
  return scope.outliers || !sets_lambda;
}

Settings settings_for(const Algorithm& algorithm, const HardInput& input,
                      const Normalize& normalize) {
  Settings settings = plain_settings(input.rank, algorithm);
  settings.normalize = normalize;
  settings.missing = input.has_missing();
  settings.epochs = 2;
  input.adjust(settings);
  return settings;
}

}  // namespace tamis::test
