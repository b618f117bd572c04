// Encoding over the whole grid: constraint × code penalty × outlier penalty × bound × sign, with
// every solver. Each result must satisfy the optimality conditions, and all must have the same
// objective.
#include "support/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One place of the grid with samples to encode.
struct Cell {
  Matrix<double> W;
  Matrix<double> V;
  Settings settings;
  double lambda = 0.15;

  judge::EncodeProblem problem(Index j) const {
    return {.W = W,
            .v = V.col(j),
            .lambda = lambda,
            .M = *settings.max_outlier,
            .nonneg_outliers = settings.nonneg_outliers,
            .code_penalty = settings.code_penalty,
            .code_groups = settings.code_groups,
            .outlier_penalty = settings.outlier_penalty,
            .outlier_groups = settings.outlier_groups};
  }
};

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

std::string describe(const OutlierOption& outlier, double M, bool nonneg_outliers) {
  return outlier.name + ", M " + std::to_string(M) + (nonneg_outliers ? ", r ≥ 0" : ", signed");
}

// Returns the objective of every sample.
Vector<double> check_encoding(const Cell& cell, const tamis::Encoding<double>& encoding) {
  Vector<double> objective(cell.V.cols());
  for (Index j = 0; j < cell.V.cols(); ++j) {
    SCOPED_TRACE("sample " + std::to_string(j));
    const auto problem = cell.problem(j);
    const Vector<double> h = encoding.H.col(j);
    const Vector<double> r = encoding.R.col(j);
    const auto report = judge::verify_encode(problem, h, r);
    EXPECT_LT(report.h.worst(), 1e-6);
    EXPECT_LT(report.r.worst(), 1e-6);
    EXPECT_TRUE((problem.v.array().isNaN() <= (r.array() == 0)).all())
        << "r ≠ 0 where v is missing";
    objective[j] = judge::encode_objective(problem, h, r);
    EXPECT_NEAR(encoding.loss[j], objective[j], 1e-9 * (1 + objective[j])) << "the reported loss";
  }
  return objective;
}

void check_cell(Cell cell) {
  Vector<double> first;
  for (const Solver& solver : judge::grid_solvers()) {
    SCOPED_TRACE(solver.name);
    cell.settings.algorithm = solver.algorithm;
    const auto encoding = tamis::solve_codes<double>(cell.W, cell.V, cell.lambda, cell.settings);
    ASSERT_EQ(encoding.H.cols(), cell.V.cols());
    const Vector<double> objective = check_encoding(cell, encoding);
    if (first.size() == 0) first = objective;
    EXPECT_LT((objective - first).cwiseAbs().maxCoeff(), 1e-9 * (1e-3 + first.maxCoeff()));
  }
}

class EncodingGrid : public ::testing::TestWithParam<std::tuple<Constraint, CodePenalty>> {};

TEST_P(EncodingGrid, SolversAreOptimalAndAgree) {
  const auto& [constraint, code] = GetParam();
  const auto data = judge::planted_data(constraint, 4, 1);
  Index cells = 0;
  for (const OutlierOption& outlier : judge::grid_outlier_options()) {
    for (const double M : {0.3, infinity}) {
      for (const bool nonneg_outliers : {false, true}) {
        SCOPED_TRACE(describe(outlier, M, nonneg_outliers));
        Cell cell{data.W, data.V, settings_of(constraint, code, outlier, M, nonneg_outliers)};
        if (judge::small_effort()) cell.V = data.V.col(cells++ % 4);
        check_cell(cell);
      }
    }
  }
}

// Nothing at all, nothing known, half of it known, only negative entries, one large entry.
TEST_P(EncodingGrid, SolversAgreeOnUnusualSamples) {
  const auto& [constraint, code] = GetParam();
  const auto data = judge::planted_data(constraint, 1, 2);
  Matrix<double> V = Matrix<double>::Zero(data.V.rows(), 5);
  V.col(1).setConstant(nan);
  V.col(2) = data.V.col(0);
  for (Index i = 0; i < V.rows(); i += 2) V(i, 2) = nan;
  V.col(3) = -data.V.col(0).cwiseAbs();
  V.col(4) = data.V.col(0);
  V(3, 4) = 4;
  for (const OutlierOption& outlier : judge::grid_outlier_options()) {
    SCOPED_TRACE(outlier.name);
    check_cell({data.W, V, settings_of(constraint, code, outlier, infinity, false)});
  }
}

// λ = ∞: plain nonnegative coding. λ = 0: outliers up to M are free.
TEST_P(EncodingGrid, SolversAgreeAtTheEndsOfLambda) {
  const auto& [constraint, code] = GetParam();
  const auto data = judge::planted_data(constraint, judge::small_effort() ? 1 : 3, 3);
  for (const OutlierOption& outlier : judge::grid_outlier_options()) {
    for (const double lambda : {0.0, infinity}) {
      SCOPED_TRACE(outlier.name + ", lambda " + std::to_string(lambda));
      check_cell({data.W, data.V, settings_of(constraint, code, outlier, 0.3, false), lambda});
    }
  }
}

// The same solvers in float, judged with the digits that float has.
TEST_P(EncodingGrid, SinglePrecisionReachesItsDigits) {
  const auto& [constraint, code] = GetParam();
  const auto data = judge::planted_data(constraint, 4, 1);
  for (const OutlierOption& outlier : judge::grid_outlier_options()) {
    Cell cell{data.W.cast<float>().cast<double>(), data.V.cast<float>().cast<double>(),
              settings_of(constraint, code, outlier, 0.25, false)};
    if (judge::small_effort()) cell.V = cell.V.leftCols(1).eval();
    for (const Solver& solver : judge::hurried(judge::grid_solvers(), 500)) {
      SCOPED_TRACE(outlier.name + ", " + solver.name);
      cell.settings.algorithm = solver.algorithm;
      const auto encoding = tamis::solve_codes<float>(cell.W.cast<float>(), cell.V.cast<float>(),
                                                      cell.lambda, cell.settings);
      for (Index j = 0; j < cell.V.cols(); ++j) {
        const auto report = judge::verify_encode(cell.problem(j), encoding.H.col(j).cast<double>(),
                                                 encoding.R.col(j).cast<double>());
        EXPECT_LT(report.worst(), 1e-4) << "sample " << j;
      }
    }
  }
}

// The conditions that the tests above rely on are not met by a solver that stops too early.
TEST_P(EncodingGrid, HurriedSolversAreNoticed) {
  const auto& [constraint, code] = GetParam();
  const auto data = judge::planted_data(constraint, 1, 1);
  Cell cell{data.W, data.V,
            settings_of(constraint, code, judge::grid_outlier_options()[0], 0.3, false)};
  for (const Solver& solver : judge::hurried(judge::grid_solvers(), 3)) {
    SCOPED_TRACE(solver.name);
    cell.settings.algorithm = solver.algorithm;
    const auto encoding = tamis::solve_codes<double>(cell.W, cell.V, cell.lambda, cell.settings);
    const auto report = judge::verify_encode(cell.problem(0), encoding.H.col(0), encoding.R.col(0));
    EXPECT_GT(report.worst(), 1e-5);
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
