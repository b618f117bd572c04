#include "tamis/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "evaluate/assignment.hpp"
#include "random/random.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

Matrix<double> random_matrix(Index rows, Index columns, Index number) {
  RandomStream random(7, Purpose::data, 100, number);
  return Matrix<double>::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

double cost_of(const Matrix<double>& cost, const std::vector<Index>& columns) {
  double sum = 0;
  for (Index i = 0; i < cost.rows(); ++i) sum += cost(i, columns[std::size_t(i)]);
  return sum;
}

// Every order of the columns; the first rows() of them are an assignment.
double cheapest_by_trying(const Matrix<double>& cost) {
  std::vector<Index> order(std::size_t(cost.cols()));
  std::iota(order.begin(), order.end(), Index(0));
  double best = std::numeric_limits<double>::infinity();
  do {
    best = std::min(best, cost_of(cost, order));
  } while (std::ranges::next_permutation(order).found);
  return best;
}

TEST(Assignment, IsAsCheapAsTheBestOfAllPermutations) {
  Index number = 0;
  for (Index columns = 1; columns <= 6; ++columns)
    for (Index rows = 1; rows <= columns; ++rows)
      for (int repetition = 0; repetition < 20; ++repetition) {
        Matrix<double> cost = random_matrix(rows, columns, ++number);
        if (repetition % 2 == 1) cost = cost.array().round();  // ties
        std::vector<Index> columns_of = cheapest_assignment(cost);
        EXPECT_NEAR(cost_of(cost, columns_of), cheapest_by_trying(cost), 1e-12)
            << rows << "×" << columns << ", repetition " << repetition;
        std::ranges::sort(columns_of);
        EXPECT_EQ(std::ranges::adjacent_find(columns_of), columns_of.end());
      }
}

TEST(Assignment, UndoesAPermutationOfMany) {
  const Index n = 120;
  Matrix<double> cost = random_matrix(n, n, 0).cwiseAbs();
  for (Index i = 0; i < n; ++i) cost(i, (i * 7 + 3) % n) = -1;
  const std::vector<Index> columns = cheapest_assignment(cost);
  for (Index i = 0; i < n; ++i) EXPECT_EQ(columns[std::size_t(i)], (i * 7 + 3) % n);
}

TEST(Assignment, OfNothingIsEmpty) { EXPECT_TRUE(cheapest_assignment({}).empty()); }

TEST(MatchAtoms, IgnoresOrderAndScale) {
  const Matrix<double> truth = random_matrix(30, 5, 1).cwiseAbs();
  Matrix<double> learned(30, 5);
  for (Index k = 0; k < 5; ++k) learned.col((k + 2) % 5) = double(k + 1) * truth.col(k);
  const AtomMatch match = match_atoms<double>(truth, learned);
  EXPECT_NEAR(match.cosine.minCoeff(), 1, 1e-12);
  EXPECT_EQ(match.learned, (std::vector<Index>{2, 3, 4, 0, 1}));
  EXPECT_EQ(match.recovered(0.99), 5);
}

TEST(MatchAtoms, GivesAnAtomToOneOnly) {
  // Both true atoms are closest to the first learned one; only the sum decides.
  const Matrix<double> truth{{1, 1}, {0, 0.1}, {0, 0}};
  const Matrix<double> learned{{1, 1}, {0, 1}, {0, 0}};
  const AtomMatch match = match_atoms<double>(truth, learned);
  EXPECT_EQ(match.learned, (std::vector<Index>{0, 1}));
}

TEST(MatchAtoms, AcceptsMoreOrFewerLearnedAtoms) {
  const Matrix<double> truth = random_matrix(30, 4, 2).cwiseAbs();
  Matrix<double> more(30, 6);
  more << random_matrix(30, 2, 3).cwiseAbs(), truth;
  EXPECT_NEAR(match_atoms<double>(truth, more).mean(), 1, 1e-12);
  EXPECT_EQ(match_atoms<double>(truth, more).learned, (std::vector<Index>{2, 3, 4, 5}));

  const AtomMatch fewer = match_atoms<double>(truth, truth.middleCols(1, 2));
  EXPECT_EQ(fewer.learned, (std::vector<Index>{-1, 0, 1, -1}));
  EXPECT_NEAR(fewer.mean(), 0.5, 1e-12);
  EXPECT_EQ(fewer.recovered(0.9), 2);
}

TEST(MatchAtoms, LeavesRowsOut) {
  const Matrix<float> truth{{1, 0}, {0, 1}, {0, 0}};
  const Matrix<float> learned{{1, 0}, {0, 1}, {5, 3}};
  EXPECT_LT(match_atoms<float>(truth, learned).mean(), 0.5);
  EXPECT_NEAR(match_atoms<float>(truth, learned, {2}).mean(), 1, 1e-6);
  EXPECT_THROW(match_atoms<float>(truth, learned, {3}), DataError);
}

TEST(MatchAtoms, AnEmptyAtomResemblesNothing) {
  const Matrix<double> truth = Matrix<double>::Identity(3, 2);
  const AtomMatch match = match_atoms<double>(truth, Matrix<double>::Zero(3, 2));
  EXPECT_EQ(match.mean(), 0);
  const Matrix<double> broken = Matrix<double>::Constant(3, 2, std::nan(""));
  EXPECT_THROW(match_atoms<double>(truth, broken), DataError);
}

TEST(Psnr, IsMinusTenLogOfTheMeanSquare) {
  const Matrix<float> clean = Matrix<float>::Constant(4, 5, 0.5f);
  const Matrix<float> estimate = Matrix<float>::Constant(4, 5, 0.4f);
  EXPECT_NEAR(psnr<float>(clean, estimate), 20, 1e-5);
  EXPECT_EQ(psnr<float>(clean, clean), std::numeric_limits<double>::infinity());
  EXPECT_THROW(psnr<float>(clean, estimate.leftCols(4)), DataError);
  EXPECT_THROW(psnr<float>(Matrix<float>(), Matrix<float>()), DataError);
}

TEST(RelativeError, IsScaleFree) {
  const Matrix<double> clean = random_matrix(6, 7, 4);
  EXPECT_NEAR(relative_error<double>(clean, 0.75 * clean), 0.25, 1e-12);
  EXPECT_NEAR(relative_error<double>(8 * clean, 6 * clean), 0.25, 1e-12);
}

TEST(HoyerSparsity, GoesFromZeroToOne) {
  EXPECT_NEAR(hoyer_sparsity<double>(Matrix<double>::Ones(9, 2)), 0, 1e-12);
  EXPECT_NEAR(hoyer_sparsity<double>(Matrix<double>::Identity(9, 3)), 1, 1e-12);
  // ‖w‖₁/‖w‖₂ = 7/5 for (3, 4, 0, 0)
  EXPECT_NEAR(hoyer_sparsity<double>(Matrix<double>{{3}, {4}, {0}, {0}}), 0.6, 1e-12);
}

TEST(OutlierScore, CountsEntries) {
  const Matrix<double> truth{{1, 0, -1}, {0, 0.5, 0}};
  const Matrix<double> R{{0.9, 0.2, 0}, {0, -0.3, 0.1}};
  const OutlierScore score = outlier_score<double>(truth, R, 0.15);
  EXPECT_NEAR(score.precision, 2. / 3, 1e-12);
  EXPECT_NEAR(score.recall, 2. / 3, 1e-12);
  EXPECT_NEAR(score.f, 2. / 3, 1e-12);
  EXPECT_NEAR(outlier_score<double>(truth, R, 0.5).precision, 1, 1e-12);
  EXPECT_NEAR(outlier_score<double>(truth, R, 0.5).recall, 1. / 3, 1e-12);
  EXPECT_EQ(outlier_score<double>(truth, 0 * R).recall, 0);
  EXPECT_EQ(outlier_score<double>(truth, 0 * R).f, 0);
}

}  // namespace
}  // namespace tamis
