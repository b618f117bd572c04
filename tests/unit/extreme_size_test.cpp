// Numbers whose squares a precision cannot hold: refused with a remedy, or said to be inaccurate;
// never a silently wrong answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

Matrix<double> data(Index samples = 24) {
  return make_scene({.features = 8, .rank = 3, .samples = samples, .seed = 62}).V;
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "was not refused";
}

void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << '"' << word << "\" not in: " << message;
}

TEST(TooLarge, ASampleIsRefusedByEncodeAndNamed) {
  for (const Algorithm& algorithm : with(online_algorithms(), &AlgorithmScope::outliers)) {
    SCOPED_TRACE(name_of(algorithm));
    const auto model = Trainer<float>(plain_settings(3, algorithm)).fit(data().cast<float>()).model;
    Matrix<float> V = data().cast<float>();
    V.col(7) *= 1e30F;
    expect_words(refusal([&] { model.encode(V); }), {"sample 7", "single", "scale", "double"});
  }
}

TEST(TooLarge, ForFloatIsNotForDoubleOrWhenScaled) {
  Settings settings = plain_settings(3);
  const Matrix<double> V = data() * 1e30;
  EXPECT_EQ(Trainer<float>(settings).fit(V.cast<float>()).status, Status::diverged);
  EXPECT_EQ(Trainer<double>(settings).fit(V).status, Status::completed);
  settings.normalize = NormalizeMax{};
  const auto scaled = Trainer<float>(settings).fit(V.cast<float>());
  EXPECT_EQ(scaled.status, Status::completed);
  EXPECT_GT(scaled.model.encode(V.cast<float>()).H.maxCoeff(), 1e28F);
}

TEST(TooSmall, SamplesAreRefusedByFit) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Trainer<float> trainer(plain_settings(3, algorithm));
    const Matrix<float> V = (data() * 1e-30).cast<float>();
    expect_words(refusal([&] { trainer.fit(V); }), {"sample 0", "single", "scale", "double"});
    EXPECT_FALSE(trainer.model().trained());
    EXPECT_NO_THROW(trainer.fit(data().cast<float>()));
  }
}

// Zeros do not count: they tell nothing about the size of what follows.
TEST(TooSmall, SamplesAreRefusedAlsoAfterZeros) {
  Trainer<float> trainer(plain_settings(3));
  trainer.partial_fit(Matrix<float>::Zero(8, 4));
  EXPECT_THROW(trainer.partial_fit((data() * 1e-30).cast<float>()), DataError);
}

TEST(TooSmall, ASampleAmongOthersIsHarmless) {
  Matrix<float> V = data().cast<float>();
  V.col(3) *= 1e-30F;
  const auto result = Trainer<float>(plain_settings(3)).fit(V);
  EXPECT_EQ(result.status, Status::completed);
  EXPECT_TRUE(result.model.W.allFinite());
}

// Its codes are about right, but nobody knows how accurate they are.
TEST(TooSmall, ASampleIsEncodedAndSaidToBeInaccurate) {
  const auto model = Trainer<float>(plain_settings(3)).fit(data().cast<float>()).model;
  const Matrix<float> V = data(4).cast<float>();
  EXPECT_TRUE(model.encode(V).converged);
  EXPECT_TRUE(model.encode(Matrix<float>::Zero(8, 4)).converged);
  const auto tiny = model.encode((data(4) * 1e-30).cast<float>());
  EXPECT_FALSE(tiny.converged);
  EXPECT_TRUE(tiny.H.allFinite());
  EXPECT_LT(tiny.H.maxCoeff(), 1e-28F);
}

// Statistics whose squares overflow, though they do not themselves
TEST(LargeStatistics, ChangeNothingInTheUpdateButTheirScale) {
  const Matrix<double> W = make_scene({.features = 8, .rank = 3}).W;
  const Scene scene = make_scene({.features = 8, .rank = 3, .seed = 3});
  const Matrix<double> A = scene.H * scene.H.transpose() / 100;
  const Matrix<double> B = scene.V * scene.H.transpose() / 100;
  for (const Algorithm& algorithm : {Algorithm(Fast{}), Algorithm(Opgd{})}) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = plain_settings(3, algorithm);
    const Matrix<float> expected = solve_dictionary<float>(W.cast<float>(), A, B, settings);
    EXPECT_GT((expected - W.cast<float>()).norm(), 0.1F);
    for (const double s : {1e-25, 1e25}) {
      const Matrix<float> found = solve_dictionary<float>(W.cast<float>(), s * A, s * B, settings);
      EXPECT_LT((found - expected).norm(), 1e-5F) << s;
    }
  }
}

// However little noise there is, λ = auto stays far above rounding errors of the data.
TEST(NoNoise, LambdaStaysAboveRoundingErrors) {
  const Scene scene = make_scene(
      {.features = 20, .rank = 1, .samples = 400, .noise = 0, .outlier_share = 0, .seed = 8});
  const auto check = [&]<class T>(T size, double c) {
    Settings settings = plain_settings(1, Fast{.iterations = 100});
    settings.lambda = LambdaAuto{c};
    settings.max_outlier = std::numeric_limits<double>::infinity();
    settings.init = SamplesInit{};
    const auto model = Trainer<T>(settings).fit((double(size) * scene.clean).cast<T>()).model;
    const double least = 1e-5 * std::sqrt(2 * model.c / 20);
    EXPECT_GT(least, 1e-7 * double(size));
    EXPECT_DOUBLE_EQ(model.lambda, std::max(c * model.sigma, least));
    if (c < 1e-6) {
      EXPECT_EQ(model.lambda, least);
    }
  };
  for (const double c : {1.345, 1e-9}) {
    check(1.0F, c);
    check(1.0, c);
    check(1e-6F, c);
    check(1e6F, c);
  }
}

}  // namespace
}  // namespace tamis::test
