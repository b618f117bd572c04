// `encode` says whether it reached the accuracy it was asked for. If it says so, the loss is within
// that of the best one, whatever the dictionary and the data; if it was stopped before, it says so
// too.
#include <gtest/gtest.h>

#include <cmath>

#include "support/hard_inputs.hpp"

namespace tamis::test {
namespace {

template <class T>
Model<double> in_double(const Model<T>& model) {
  Model<double> exact;
  exact.settings = model.settings;
  exact.W = model.W.template cast<double>();
  exact.lambda = model.lambda;
  exact.batches = model.batches;
  return exact;
}

constexpr EncodeOptions thorough{.tolerance = 1e-9, .iterations = 20000, .threads = 1};

template <class T>
void expect_truth(const Settings& settings, const HardInput& input) {
  const Matrix<T> V = input.V.cast<T>();
  const Model<T> model = Trainer<T>(settings).fit(V).model;
  const auto best = in_double(model).encode(V.template cast<double>(), thorough);
  const auto found = model.encode(V, {.threads = 1});
  const Matrix<double> seen = V.array().isNaN().select(T(0), V).template cast<double>();
  for (Index j = 0; j < V.cols(); ++j) {
    const double largest = seen.col(j).maxCoeff();
    const bool scaled = std::holds_alternative<NormalizeMax>(*settings.normalize) && largest > 0;
    const double size = (seen.col(j) / (scaled ? largest : 1)).squaredNorm();
    if (found.converged) {
      EXPECT_LE(found.loss[j], best.loss[j] + 1e-3 * size) << "sample " << j;
    }
    if (best.converged) {
      EXPECT_GE(found.loss[j], best.loss[j] - 1e-4 * size) << "sample " << j;
    }
  }
}

class Accuracy : public ::testing::TestWithParam<HardInput> {};

TEST_P(Accuracy, IsReachedWhereItIsSaidToBe) {
  const HardInput& input = GetParam();
  const Algorithm algorithms[] = {Fast{}, Opgd{}, Orpca{}};
  for (const Algorithm& algorithm : algorithms) {
    if (!takes(algorithm, input)) continue;
    for (const Normalize& normalize : {Normalize(NormalizeNone{}), Normalize(NormalizeMax{})}) {
      SCOPED_TRACE(std::string(name_of(algorithm)) + ", normalize " +
                   std::string(name_of(normalize)));
      const Settings settings = settings_for(algorithm, input, normalize);
      if (fits<float>(input, settings)) expect_truth<float>(settings, input);
      if (fits<double>(input, settings)) expect_truth<double>(settings, input);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Accuracy, ::testing::ValuesIn(hard_inputs()), name_of_input);

// One iteration is not enough for anything but zeros.
TEST(Accuracy, IsDeniedWhenStoppedBefore) {
  for (const Algorithm& algorithm : {Algorithm(Fast{}), Algorithm(Orpca{})}) {
    SCOPED_TRACE(name_of(algorithm));
    for (const HardInput& input : hard_inputs()) {
      if (input.name != "OutliersOnly" && input.name != "DuplicatedSamples") continue;
      const Settings settings = settings_for(algorithm, input, NormalizeMax{});
      const auto model = Trainer<double>(settings).fit(input.V).model;
      EXPECT_FALSE(model.encode(input.V, {.tolerance = 1e-8, .iterations = 1}).converged);
      EXPECT_TRUE(model.encode(input.V, {.tolerance = 1e-8, .iterations = 100000}).converged);
      EXPECT_TRUE(
          model.encode(Matrix<double>::Zero(input.V.rows(), 2), {.iterations = 2}).converged);
    }
  }
}

}  // namespace
}  // namespace tamis::test
