// Every algorithm on every hard input, in both precisions, with samples as they are and scaled to
// unit maximum: everything finite and feasible, a bounded number of iterations, a status that tells
// the truth, and an objective that never rises where it must not. What a precision cannot hold is
// refused with a remedy, never in silence.
#include "support/hard_inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tamis::test {
namespace {

template <class T>
constexpr double rounding = 64 * double(std::numeric_limits<T>::epsilon());

// What a sample was divided by
double scale_of(const Settings& settings, double largest) {
  const bool as_is = std::holds_alternative<NormalizeNone>(settings.normalize.value());
  return as_is || largest == 0 ? 1 : largest;
}

// Codes and outliers, each in their set
template <class T>
void expect_feasible(const Settings& settings, const Matrix<T>& V, const Matrix<T>& H,
                     const Matrix<T>& R) {
  ASSERT_EQ(H.cols(), V.cols());
  EXPECT_TRUE(H.allFinite());
  EXPECT_TRUE(R.allFinite());
  if (!scope_of(settings.algorithm).signed_codes) {
    EXPECT_GE(H.minCoeff(), 0);
  }
  const double M = settings.resolved().max_outlier.value();
  for (Index j = 0; j < V.cols(); ++j) {
    const auto size = double(V.col(j).array().isNaN().select(T(0), V.col(j)).maxCoeff());
    // R = V − Y is known up to the rounding of V.
    const double most = M * scale_of(settings, size) + rounding<T> * size;
    EXPECT_LE(double(R.col(j).cwiseAbs().maxCoeff()), most) << j;
  }
}

void expect_true_status(const Settings& settings, const HardInput& input, Status status,
                        const Info& info) {
  if (is_batch(settings.algorithm)) {
    EXPECT_TRUE(status == Status::converged || status == Status::iteration_limit);
    EXPECT_LE(info.batches, 12);
    EXPECT_EQ(status == Status::iteration_limit, info.batches == 12);
  } else {
    EXPECT_EQ(status, Status::completed);
    EXPECT_EQ(info.samples, 2 * input.V.cols());
  }
}

// The objective of batch projected gradients never rises: each of its steps is one of descent.
template <class T>
void expect_descent(const Trace& trace, double size) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const TracePoint& point : trace.points()) {
    EXPECT_LE(point.objective, lowest + rounding<T> * size);
    lowest = std::min(lowest, point.objective);
  }
}

template <class T>
void expect_sound_encoding(const Model<T>& model, const HardInput& input) {
  const Matrix<T> V = input.V.cast<T>();
  for (const EncodeOptions options :
       {EncodeOptions{.threads = 1}, EncodeOptions{.tolerance = 1e-12, .iterations = 7}}) {
    const auto found = model.encode(V, options);
    expect_feasible<T>(model.settings, V, found.H, found.R);
    EXPECT_TRUE(found.loss.allFinite());
    EXPECT_GE(found.loss.minCoeff(), 0);
    EXPECT_LE(found.iterations, options.iterations);
    if (found.iterations < options.iterations && fits<T>(input, model.settings)) {
      EXPECT_TRUE(found.converged);
    }
  }
}

template <class T>
void expect_sound_fit(const Settings& settings, const HardInput& input) {
  Collector<T> sink;
  FitOptions<T> options;
  options.sink = &sink;
  const Matrix<T> V = input.V.cast<T>();
  const auto result = Trainer<T>(settings).fit(V, options);
  expect_true_status(settings, input, result.status, result.info);
  EXPECT_FALSE(result.message.empty());
  const Model<T>& model = result.model;
  EXPECT_TRUE(model.W.allFinite());
  EXPECT_TRUE(is_feasible(settings, model.W, rounding<T>));
  EXPECT_TRUE(model.A.allFinite());
  EXPECT_TRUE(model.B.allFinite());
  for (const double x : {model.c, model.sigma, result.info.objective})
    EXPECT_TRUE(std::isfinite(x)) << x;
  EXPECT_FALSE(std::isnan(model.lambda));
  expect_feasible<T>(settings, V, sink.H.rightCols(V.cols()), sink.R.rightCols(V.cols()));
  if (std::holds_alternative<Bpgd>(settings.algorithm) &&
      !std::holds_alternative<LambdaAuto>(*settings.lambda))
    expect_descent<T>(result.info.trace, model.c + result.info.trace.points().front().objective);
  expect_sound_encoding(model, input);
}

// By an error or a status, whose message says what to do.
template <class T>
void expect_refused(const Settings& settings, const HardInput& input) {
  Trainer<T> trainer(settings);
  try {
    const auto result = trainer.fit(input.V.cast<T>());
    EXPECT_EQ(result.status, Status::diverged);
    EXPECT_NE(result.message.find("scale"), std::string::npos) << result.message;
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("scale"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(trainer.model().trained());
}

class HardInputs : public ::testing::TestWithParam<HardInput> {};

TEST_P(HardInputs, AreSurvivedOrRefused) {
  const HardInput& input = GetParam();
  const auto check = [&]<class T>(const Settings& settings, T) {
    SCOPED_TRACE(sizeof(T) == 4 ? "float" : "double");
    fits<T>(input, settings) ? expect_sound_fit<T>(settings, input)
                             : expect_refused<T>(settings, input);
  };
  for (const Algorithm& algorithm : all_algorithms()) {
    if (!takes(algorithm, input)) continue;
    for (const Normalize& normalize : {Normalize(NormalizeNone{}), Normalize(NormalizeMax{})}) {
      SCOPED_TRACE(std::string(name_of(algorithm)) + ", normalize " +
                   std::string(name_of(normalize)));
      const Settings settings = settings_for(algorithm, input, normalize);
      check(settings, float());
      check(settings, double());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HardInputs, ::testing::ValuesIn(hard_inputs()), name_of_input);

}  // namespace
}  // namespace tamis::test
