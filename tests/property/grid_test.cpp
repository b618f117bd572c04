// Encoding over the whole grid: constraint × code penalty × outlier penalty × bound × sign, with
// every solver. Each result must satisfy the optimality conditions, and all must have the same
// objective.
#include "support/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "support/random_data.hpp"
#include "tamis/fields.hpp"
#include "tamis/settings.hpp"
#include "tamis/solvers.hpp"

namespace {

using judge::OutlierOption;
using judge::Solver;
using tamis::CodePenalty;
using tamis::Constraint;
using tamis::Index;
using tamis::Matrix;
using tamis::Settings;
using tamis::Vector;

constexpr double lambda = 0.15;
constexpr double infinity = std::numeric_limits<double>::infinity();

Settings settings_of(const Constraint& constraint, const CodePenalty& code,
                     const OutlierOption& outlier, double M, bool nonneg_outliers) {
  Settings settings;
  settings.rank = 3;
  settings.constraint = constraint;
  settings.code_penalty = code;
  settings.code_groups = judge::grid_code_groups();
  settings.outlier_penalty = outlier.penalty;
  settings.outlier_groups = outlier.groups;
  settings.max_outlier = M;
  settings.nonneg_outliers = nonneg_outliers;
  settings.missing = true;
  settings.allow_negative = true;
  settings.normalize = tamis::NormalizeNone{};
  settings.threads = 1;
  return settings;
}

judge::EncodeProblem problem_of(const Settings& settings, const Matrix<double>& W,
                                const Vector<double>& v) {
  return {.W = W,
          .v = v,
          .lambda = lambda,
          .M = *settings.max_outlier,
          .nonneg_outliers = settings.nonneg_outliers,
          .code_penalty = settings.code_penalty,
          .code_groups = settings.code_groups,
          .outlier_penalty = settings.outlier_penalty,
          .outlier_groups = settings.outlier_groups};
}

class EncodingGrid : public ::testing::TestWithParam<std::tuple<Constraint, CodePenalty>> {
 protected:
  // All solvers on the same samples.
  void check_cell(const judge::PlantedData& data, Settings settings) {
    Vector<double> least;
    for (const Solver& solver : judge::grid_solvers()) {
      SCOPED_TRACE(solver.name);
      settings.algorithm = solver.algorithm;
      const auto encoding = tamis::solve_codes<double>(data.W, data.V, lambda, settings);
      const Vector<double> objective = check_encoding(data, settings, encoding);
      if (least.size() == 0) least = objective;
      EXPECT_LT(((objective - least).array() / least.array()).abs().maxCoeff(), 1e-8);
    }
  }

  // Returns the objective of every sample.
  Vector<double> check_encoding(const judge::PlantedData& data, const Settings& settings,
                                const tamis::Encoding<double>& encoding) {
    Vector<double> objective(data.V.cols());
    for (Index j = 0; j < data.V.cols(); ++j) {
      SCOPED_TRACE("sample " + std::to_string(j));
      const auto problem = problem_of(settings, data.W, data.V.col(j));
      const Vector<double> h = encoding.H.col(j);
      const Vector<double> r = encoding.R.col(j);
      const auto report = judge::verify_encode(problem, h, r);
      EXPECT_LT(report.h.worst(), 1e-6);
      EXPECT_LT(report.r.worst(), 1e-6);
      EXPECT_TRUE((problem.v.array().isNaN() <= (r.array() == 0)).all())
          << "r ≠ 0 where v is missing";
      objective[j] = judge::encode_objective(problem, h, r);
      EXPECT_NEAR(encoding.loss[j], objective[j], 1e-9 * objective[j]) << "the reported loss";
    }
    return objective;
  }
};

TEST_P(EncodingGrid, SolversAreOptimalAndAgree) {
  const auto& [constraint, code] = GetParam();
  const auto data = judge::planted_data(constraint, judge::small_effort() ? 1 : 3, 1);
  for (const OutlierOption& outlier : judge::grid_outlier_options()) {
    for (const double M : {0.3, infinity}) {
      for (const bool nonneg_outliers : {false, true}) {
        SCOPED_TRACE(outlier.name + ", M " + std::to_string(M) +
                     (nonneg_outliers ? ", r ≥ 0" : ", signed"));
        check_cell(data, settings_of(constraint, code, outlier, M, nonneg_outliers));
      }
    }
  }
}

// Names as in settings, with letters that gtest allows.
std::string cell_name(const ::testing::TestParamInfo<std::tuple<Constraint, CodePenalty>>& info) {
  std::string name = std::string(tamis::name_of(std::get<0>(info.param))) + "_with_" +
                     std::string(tamis::name_of(std::get<1>(info.param))) + "_codes";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EncodingGrid,
                         ::testing::Combine(::testing::ValuesIn(judge::grid_constraints()),
                                            ::testing::ValuesIn(judge::grid_code_penalties())),
                         cell_name);

}  // namespace
