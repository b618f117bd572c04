// The dictionary update over constraint × dictionary penalty with every solver, on full-rank and
// rank-deficient statistics. The problem is convex, so stationary points are minimisers and all
// solvers must agree in value; with a rank-deficient A they may differ in W.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "support/grid.hpp"
#include "support/random_data.hpp"
#include "tamis/fields.hpp"
#include "tamis/settings.hpp"
#include "tamis/solvers.hpp"

namespace {

using judge::Solver;
using tamis::Constraint;
using tamis::DictionaryPenalty;
using tamis::Matrix;
using tamis::Settings;

struct NamedPenalty {
  std::string name;
  DictionaryPenalty penalty;
};

const std::vector<NamedPenalty> penalties = {
    {"no", {0, 0}}, {"l1", {0.05, 0}}, {"l2", {0, 0.1}}, {"elastic", {0.05, 0.1}}};

class DictionaryGrid : public ::testing::TestWithParam<std::tuple<Constraint, NamedPenalty>> {
 protected:
  // All solvers from the same start.
  void check_cell(const judge::PlantedStatistics& given, bool compare_atoms) {
    const auto& [constraint, named] = GetParam();
    Settings settings;
    settings.rank = given.A.rows();
    settings.constraint = constraint;
    settings.dictionary_penalty = named.penalty;
    settings.threads = 1;
    Matrix<double> first;
    for (const Solver& solver : judge::grid_solvers()) {
      SCOPED_TRACE(solver.name);
      settings.algorithm = solver.algorithm;
      const Matrix<double> W =
          tamis::solve_dictionary<double>(given.W_start, given.A, given.B, settings);
      const auto residuals =
          judge::verify_dictionary(W, given.A, given.B, constraint, named.penalty);
      EXPECT_LT(residuals.worst(), 1e-6);
      if (first.size() == 0) first = W;
      expect_same_value(given, first, W);
      if (compare_atoms) {
        EXPECT_LT((W - first).cwiseAbs().maxCoeff(), 1e-5);
      }
    }
  }

  void expect_same_value(const judge::PlantedStatistics& given, const Matrix<double>& a,
                         const Matrix<double>& b) {
    const DictionaryPenalty& penalty = std::get<1>(GetParam()).penalty;
    const double expected = judge::dictionary_objective(a, given.A, given.B, penalty);
    EXPECT_NEAR(judge::dictionary_objective(b, given.A, given.B, penalty), expected,
                1e-8 * std::abs(expected));
  }
};

TEST_P(DictionaryGrid, SolversAreOptimalAndAgree) {
  for (std::uint64_t seed = 1; seed <= (judge::small_effort() ? 1 : 3); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_cell(judge::planted_statistics(std::get<0>(GetParam()), false, seed), true);
  }
}

TEST_P(DictionaryGrid, SolversAreOptimalForRankDeficientStatistics) {
  for (std::uint64_t seed = 1; seed <= (judge::small_effort() ? 1 : 3); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_cell(judge::planted_statistics(std::get<0>(GetParam()), true, seed), false);
  }
}

std::string cell_name(const ::testing::TestParamInfo<std::tuple<Constraint, NamedPenalty>>& info) {
  std::string name = std::string(tamis::name_of(std::get<0>(info.param))) + "_with_" +
                     std::get<1>(info.param).name + "_penalty";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DictionaryGrid,
                         ::testing::Combine(::testing::ValuesIn(judge::grid_constraints()),
                                            ::testing::ValuesIn(penalties)),
                         cell_name);

}  // namespace
