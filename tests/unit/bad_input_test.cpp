// Bad input is an exception of the right type whose message names the problem, and changes nothing.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Matrix<double> data() {
  return make_scene({.features = 8, .rank = 3, .samples = 24, .seed = 61}).V;
}

// The exception's message, or a failure.
template <class Expected>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Expected& problem) {
    return problem.what();
  } catch (const std::exception& problem) {
    ADD_FAILURE() << "another exception: " << problem.what();
    return "";
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

void expect_words(const std::string& message, std::initializer_list<std::string> words) {
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << '"' << word << "\" is not in: " << message;
  }
}

struct SettingsCase {
  std::string name;
  std::function<void(Settings&)> spoil;
  std::vector<std::string> words;
};

void PrintTo(const SettingsCase& bad, std::ostream* out) { *out << bad.name; }

std::vector<SettingsCase> settings_cases() {
  return {
      {"RankZero", [](Settings& s) { s.rank = 0; }, {"rank", "0"}},
      {"RankNegative", [](Settings& s) { s.rank = -3; }, {"rank", "-3"}},
      {"LambdaNegative", [](Settings& s) { s.lambda = LambdaValue{-0.5}; }, {"lambda", "-0.5"}},
      {"LambdaNan", [](Settings& s) { s.lambda = LambdaValue{nan}; }, {"lambda", "nan"}},
      {"AutoConstantZero", [](Settings& s) { s.lambda = LambdaAuto{0}; }, {"lambda", "c"}},
      {"BoundZero", [](Settings& s) { s.max_outlier = 0; }, {"max_outlier"}},
      {"BoundNegative", [](Settings& s) { s.max_outlier = -1; }, {"max_outlier", "-1"}},
      {"BoundNan", [](Settings& s) { s.max_outlier = nan; }, {"max_outlier", "nan"}},
      {"BatchSizeZero", [](Settings& s) { s.batch_size = 0; }, {"batch_size", "0"}},
      {"EpochsZero", [](Settings& s) { s.epochs = 0; }, {"epochs", "0"}},
      {"ThreadsNegative", [](Settings& s) { s.threads = -1; }, {"threads", "-1"}},
      {"StepTooLong", [](Settings& s) { s.algorithm = Opgd{.kappa_h = 1.5}; }, {"kappa_h", "1.5"}},
      {"StepNan", [](Settings& s) { s.algorithm = Opgd{.kappa_w = nan}; }, {"kappa_w", "nan"}},
      {"PenaltyZero", [](Settings& s) { s.algorithm = Oadmm{.rho2 = 0}; }, {"rho2", "0"}},
      {"PenaltyInfinite", [](Settings& s) { s.algorithm = Oadmm{.rho1 = infinity}; }, {"rho1"}},
      {"IterationsZero", [](Settings& s) { s.algorithm = Fast{.iterations = 0}; }, {"iterations"}},
      {"DecayZero", [](Settings& s) { s.forget = ForgetDecay{0}; }, {"forget", "gamma"}},
      {"DecayAboveOne", [](Settings& s) { s.forget = ForgetDecay{1.1}; }, {"gamma", "1.1"}},
      {"LassoNegative", [](Settings& s) { s.code_penalty = Lasso{-1}; }, {"code_penalty", "-1"}},
      {"ShareAboveOne",
       [](Settings& s) { s.outlier_penalty = SparseGroupOutliers{2}; },
       {"outlier_penalty", "nu"}},
      {"DictionaryPenaltyNan",
       [](Settings& s) { s.dictionary_penalty.l2 = nan; },
       {"dictionary_penalty", "l2"}},
      {"ScaleEscapes",
       [](Settings& s) {
         s.constraint = NonNegative{};
         s.code_penalty = Lasso{0.1};
       },
       {"constraint", "code_penalty"}},
      {"RidgeZero", [](Settings& s) { s.algorithm = Orpca{.lambda1 = 0}; }, {"lambda1", "0"}},
      {"BufferEmpty", [](Settings& s) { s.algorithm = Onmf{.buffer = 0}; }, {"buffer", "0"}},
      {"CodeGroupsOverlap",
       [](Settings& s) {
         s.code_penalty = GroupLasso{};
         s.code_groups = {{0, 1}, {1, 2}};
       },
       {"code_groups", "1"}},
      {"CodeGroupsMissOne",
       [](Settings& s) {
         s.code_penalty = GroupLasso{};
         s.code_groups = {{0}, {2}};
       },
       {"code_groups", "1"}},
      {"CodeGroupsOutOfRange",
       [](Settings& s) {
         s.code_penalty = GroupLasso{};
         s.code_groups = {{0, 1, 2}, {3}};
       },
       {"code_groups", "3"}},
      {"OutlierGroupsOverlap",
       [](Settings& s) {
         s.outlier_penalty = GroupOutliers{};
         s.outlier_groups = {{0, 1, 2}, {2, 3, 4, 5, 6, 7}};
       },
       {"outlier_groups", "2"}},
  };
}

class BadSettings : public ::testing::TestWithParam<SettingsCase> {};

TEST_P(BadSettings, AreRefusedByTheTrainer) {
  Settings settings = plain_settings(3);
  GetParam().spoil(settings);
  const auto message = message_of<SettingsError>([&] { Trainer<double> trainer(settings); });
  for (const std::string& word : GetParam().words) expect_words(message, {word});
}

INSTANTIATE_TEST_SUITE_P(Cases, BadSettings, ::testing::ValuesIn(settings_cases()),
                         [](const auto& test) { return test.param.name; });

TEST(BadSettingsTogether, AreAllNamed) {
  Settings settings = plain_settings(0);
  settings.max_outlier = -2;
  settings.epochs = 0;
  expect_words(message_of<SettingsError>([&] { Trainer<float> trainer(settings); }),
               {"rank", "max_outlier", "epochs"});
}

// What only the data can tell: the number of features.
TEST(BadGroups, OutlierGroupsMustCoverTheFeatures) {
  Settings settings = plain_settings(3);
  settings.outlier_penalty = GroupOutliers{};
  settings.outlier_groups = {{0, 1, 2}, {3, 4, 5}};
  Trainer<double> trainer(settings);
  const std::string before = bytes_of(trainer.model());
  expect_words(message_of<SettingsError>([&] { trainer.partial_fit(data()); }), {"outlier_groups"});
  EXPECT_TRUE(bytes_of(trainer.model()) == before);
  settings.outlier_groups = {{0, 1, 2}, {3, 4, 5, 6, 7, 8}};
  Trainer<double> beyond(settings);
  expect_words(message_of<SettingsError>([&] { beyond.fit(data()); }), {"outlier_groups", "8"});
}

TEST(BadStart, NeedsAsManySamplesAsAtoms) {
  for (const Init& init : std::vector<Init>{SamplesInit{}, NndsvdInit{}}) {
    SCOPED_TRACE(name_of(init));
    Settings settings = plain_settings(6);
    settings.init = init;
    Trainer<double> trainer(settings);
    const std::string before = bytes_of(trainer.model());
    const auto message =
        message_of<DataError>([&] { trainer.partial_fit(data().leftCols(5).eval()); });
    expect_words(message, {std::string(name_of(init)), "6", "5"});
    EXPECT_TRUE(bytes_of(trainer.model()) == before);
  }
}

TEST(BadCall, PartialFitNeedsAnOnlineAlgorithm) {
  for (const Algorithm& algorithm : batch_algorithms()) {
    Trainer<double> trainer(plain_settings(3, algorithm));
    expect_words(message_of<SettingsError>([&] { trainer.partial_fit(data()); }),
                 {std::string(name_of(algorithm))});
    EXPECT_FALSE(trainer.model().trained());
  }
}

TEST(BadCall, ReconstructNeedsCodesOfTheModelsRank) {
  const auto model = Trainer<double>(plain_settings(3)).fit(data()).model;
  expect_words(message_of<DataError>([&] { model.reconstruct(Matrix<double>::Ones(4, 2)); }),
               {"4", "3"});
}

}  // namespace
}  // namespace tamis::test
