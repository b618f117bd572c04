// What an algorithm cannot do is refused, with the reason.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

#include "support/kit.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Refusal {
  std::string name;
  Algorithm algorithm;
  std::function<void(Settings&)> spoil;
  std::string field;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class Scope : public ::testing::TestWithParam<Refusal> {};

TEST_P(Scope, IsKept) {
  Settings settings;
  settings.algorithm = GetParam().algorithm;
  EXPECT_EQ(settings.violations(), std::vector<std::string>{});
  GetParam().spoil(settings);
  const auto found = settings.violations();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].substr(0, GetParam().field.size()), GetParam().field);
  EXPECT_NE(found[0].find(name_of(GetParam().algorithm)), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("leave " + GetParam().field + " out"), std::string::npos) << found[0];
  settings.algorithm = Fast{};
  settings.dictionary_penalty.l2 = 0.1;  // for sets without bound
  EXPECT_EQ(settings.violations(), std::vector<std::string>{}) << "what `fast` can do";
}

std::vector<Refusal> refusals() {
  const auto ball = [](Settings& s) { s.constraint = Ball{}; };
  const auto none = [](Settings& s) { s.constraint = Unconstrained{}; };
  const auto lasso = [](Settings& s) { s.code_penalty = Lasso{}; };
  const auto ridge = [](Settings& s) { s.dictionary_penalty.l2 = 0.1; };
  const auto outliers = [](Settings& s) { s.lambda = LambdaPaper{}; };
  const auto number = [](Settings& s) { s.lambda = LambdaValue{0.3}; };
  const auto holes = [](Settings& s) { s.missing = true; };
  return {{"OrpcaBall", Orpca{}, ball, "constraint"},
          {"OrpcaCodes", Orpca{}, lasso, "code_penalty"},
          {"OrpcaDictionary", Orpca{}, ridge, "dictionary_penalty"},
          {"OnmfBall", Onmf{}, ball, "constraint"},
          {"OnmfNone", Onmf{}, none, "constraint"},
          {"OnmfCodes", Onmf{}, lasso, "code_penalty"},
          {"OnmfDictionary", Onmf{}, ridge, "dictionary_penalty"},
          {"OnmfPaper", Onmf{}, outliers, "lambda"},
          {"OnmfLambda", Onmf{}, number, "lambda"},
          {"OnmfMissing", Onmf{}, holes, "missing"}};
}

INSTANTIATE_TEST_SUITE_P(Cases, Scope, ::testing::ValuesIn(refusals()),
                         [](const auto& test) { return test.param.name; });

TEST(ScopeAllows, WhatIsTheDefaultAnyway) {
  Settings settings;
  settings.algorithm = Orpca{};
  settings.constraint = Unconstrained{};
  settings.missing = true;
  EXPECT_EQ(settings.violations(), std::vector<std::string>{});
  settings.algorithm = Onmf{};
  settings.missing = false;
  settings.constraint = Simplex{};
  settings.lambda = LambdaValue{infinity};
  EXPECT_EQ(settings.violations(), std::vector<std::string>{});
}

TEST(ScopeOfSolvers, IsKeptToo) {
  const Matrix<double> W = Matrix<double>::Ones(4, 2);
  const Settings settings = plain_settings(2, Onmf{});
  EXPECT_THROW(solve_codes<double>(W, W, 0.1, settings), SettingsError);
  EXPECT_THROW(
      solve_codes<double>(W, Matrix<double>::Constant(4, 1, std::nan("")), infinity, settings),
      DataError);
  EXPECT_THROW(solve_dictionary<double>(W, Matrix<double>::Ones(2, 2), W, settings), SettingsError);
}

}  // namespace
}  // namespace tamis::test
