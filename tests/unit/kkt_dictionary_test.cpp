// The verifier of the dictionary update: optima known by hand or by brute force are accepted,
// points with a higher objective are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/constraint_sets.hpp"
#include "support/kkt.hpp"
#include "support/nested_search.hpp"
#include "support/random_data.hpp"
#include "tamis/fields.hpp"

namespace judge {
namespace {

using tamis::Constraint;
using tamis::DictionaryPenalty;
using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

struct Case {
  std::string name;
  Constraint constraint;
  DictionaryPenalty penalty;
  std::vector<double> b;  // one atom, A = 1: minimise ½‖w − b‖² + penalty
  std::vector<double> w;
};

const double half_root = std::sqrt(0.5);

const std::vector<Case> cases = {
    {"free", tamis::Unconstrained{}, {}, {1, -2}, {1, -2}},
    {"free, l1", tamis::Unconstrained{}, {0.5, 0}, {1, -2, 0.3}, {0.5, -1.5, 0}},
    {"free, l2", tamis::Unconstrained{}, {0, 1}, {1, -2}, {0.5, -1}},
    {"free, both", tamis::Unconstrained{}, {0.5, 1}, {1, -2}, {0.25, -0.75}},
    {"nonneg", tamis::NonNegative{}, {}, {1, -2}, {1, 0}},
    {"nonneg, both", tamis::NonNegative{}, {0.5, 1}, {1, -2, 0.3}, {0.25, 0, 0}},
    {"inside the ball", tamis::Ball{}, {}, {0.3, -2, 0.4}, {0.3, 0, 0.4}},
    {"on the sphere", tamis::Ball{}, {}, {3, -2, 4}, {0.6, 0, 0.8}},
    {"on the sphere, l1", tamis::Ball{}, {1, 0}, {4, -2, 5}, {0.6, 0, 0.8}},
    {"ball, l1 to zero", tamis::Ball{}, {9, 0}, {3, -2, 4}, {0, 0, 0}},
    {"ball, l2", tamis::Ball{}, {0, 1}, {0.6, -2, 0.8}, {0.3, 0, 0.4}},
    {"simplex", tamis::Simplex{}, {}, {0.9, 0.5, -3}, {0.7, 0.3, 0}},
    {"simplex, l1 is constant", tamis::Simplex{}, {5, 0}, {0.9, 0.5, -3}, {0.7, 0.3, 0}},
    {"simplex, sum too small", tamis::Simplex{}, {}, {0, -0.5, -3}, {0.75, 0.25, 0}},
    {"simplex vertex", tamis::Simplex{}, {}, {5, 0}, {1, 0}},
    {"inside the elastic-net ball", tamis::ElasticNetBall{1, 1}, {}, {0.3, -1}, {0.3, 0}},
    // With μ = ½: (1.7 − 1.6μ)/(1 + 1.6μ) = ½ and 1.6(½ + ⅛) = 1.
    {"elastic-net bound", tamis::ElasticNetBall{1.6, 1.6}, {}, {1.7, 0.8}, {0.5, 0}},
    {"l1 ball", tamis::ElasticNetBall{1, 0}, {}, {0.9, 0.5, -3}, {0.7, 0.3, 0}},
    {"l2 ball", tamis::ElasticNetBall{0, 2}, {}, {3, -2, 4}, {0.6, 0, 0.8}},
    {"elastic net without a bound", tamis::ElasticNetBall{0, 0}, {}, {3, -2}, {3, 0}},
    {"zero data", tamis::Ball{}, {}, {0, 0}, {0, 0}},
};

Matrix<double> column(const std::vector<double>& values) {
  return Eigen::Map<const Matrix<double>>(values.data(), Index(values.size()), 1);
}

Residuals verify(const Case& problem, const Matrix<double>& W) {
  return verify_dictionary(W, Matrix<double>::Ones(1, 1), column(problem.b), problem.constraint,
                           problem.penalty);
}

TEST(VerifyDictionary, AcceptsAtomsKnownByHand) {
  for (const Case& problem : cases) {
    SCOPED_TRACE(problem.name);
    EXPECT_LT(verify(problem, column(problem.w)).worst(), 1e-12);
  }
}

TEST(VerifyDictionary, RejectsEveryNeighbour) {
  for (const Case& problem : cases) {
    SCOPED_TRACE(problem.name);
    for (Index i = 0; i < Index(problem.w.size()); ++i) {
      for (const double change : {-0.05, 0.05}) {
        Matrix<double> W = column(problem.w);
        W(i, 0) += change;
        EXPECT_GT(verify(problem, W).worst(), 1e-3) << i << " by " << change;
      }
    }
  }
}

// Neighbours within the set: only the conditions on the gradient can tell.
TEST(VerifyDictionary, RejectsFeasiblePointsOnTheSameFace) {
  const Case sphere{"", tamis::Ball{}, {}, {3, -2, 4}, {}};
  EXPECT_GT(verify(sphere, column({half_root, 0, half_root})).stationarity, 0.01);
  const Case simplex{"", tamis::Simplex{}, {}, {0.9, 0.5, -3}, {}};
  EXPECT_GT(verify(simplex, column({0.6, 0.4, 0})).stationarity, 0.01);
  EXPECT_GT(verify(simplex, column({0, 1, 0})).stationarity, 0.1);
  const Case l1_ball{"", tamis::ElasticNetBall{1, 0}, {}, {0.9, 0.5, -3}, {}};
  EXPECT_GT(verify(l1_ball, column({0.6, 0.4, 0})).stationarity, 0.01);
}

// On the sphere, but the gradient points inwards: the multiplier would have to be negative.
TEST(VerifyDictionary, RejectsMultipliersOfTheWrongSign) {
  const Case inside{"", tamis::Ball{}, {}, {0.3, 0.4}, {}};
  EXPECT_GT(verify(inside, column({0.6, 0.8})).worst(), 0.4);
  const Case inside_l1{"", tamis::ElasticNetBall{1, 0}, {}, {0.3, 0.4}, {}};
  EXPECT_GT(verify(inside_l1, column({0.45, 0.55})).worst(), 0.1);
}

TEST(VerifyDictionary, ReportsInfeasibility) {
  const Case ball{"", tamis::Ball{}, {}, {3, 4}, {}};
  EXPECT_NEAR(verify(ball, column({0.9, 1.2})).feasibility, 0.5, 1e-12);
  EXPECT_NEAR(verify(ball, column({-0.25, 0.5})).feasibility, 0.25, 1e-12);
  const Case simplex{"", tamis::Simplex{}, {}, {3, 4}, {}};
  EXPECT_NEAR(verify(simplex, column({0.25, 0.5})).feasibility, 0.25, 1e-12);
  const Case elastic{"", tamis::ElasticNetBall{1, 2}, {}, {3, 4}, {}};
  EXPECT_NEAR(verify(elastic, column({1, 0})).feasibility, 1, 1e-12);
}

TEST(VerifyDictionary, RejectsWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Case& problem : cases) {
    SCOPED_TRACE(problem.name);
    Matrix<double> W = column(problem.w);
    W(0, 0) = nan;
    EXPECT_EQ(verify(problem, W).worst(), std::numeric_limits<double>::infinity());
  }
}

TEST(DictionaryObjective, IsTheSumOfItsTerms) {
  const Matrix<double> W{{1, -2}, {0, 3}};
  const Matrix<double> A{{2, 1}, {1, 2}};
  const Matrix<double> B{{1, 2}, {3, 4}};
  // ½(2·1 + 2·1·(−2) + 2·13) − (1 − 4 + 12) + 0.5·6 + 0.25·14
  EXPECT_NEAR(dictionary_objective(W, A, B, {0.5, 0.5}), 12 - 9 + 3 + 3.5, 1e-12);
}

const std::vector<Constraint> constraints = {tamis::Ball{}, tamis::NonNegative{}, tamis::Simplex{},
                                             tamis::ElasticNetBall{0.7, 0.5},
                                             tamis::Unconstrained{}};

// Two atoms that share the data, so that A has off-diagonal entries.
TEST(VerifyDictionary, AcceptsBruteForceAndRejectsWorsePoints) {
  const Matrix<double> A{{1, 0.6}, {0.6, 0.8}};
  const Matrix<double> B{{1.1, 0.6}, {0.3, 0.7}};
  const std::vector<DictionaryPenalty> penalties = {{0.15, 0.2}, {0, 0}};
  for (const Constraint& constraint : constraints) {
    if (small_effort() && !std::holds_alternative<tamis::Simplex>(constraint)) continue;
    for (const DictionaryPenalty& penalty : penalties) {
      SCOPED_TRACE(std::string(name_of(constraint)) + (penalty.active() ? " with penalty" : ""));
      const auto matrix_of = [](const Vector<double>& x) {
        return Eigen::Map<const Matrix<double>>(x.data(), 2, 2);
      };
      const auto objective = [&](const Vector<double>& x) {
        const Eigen::Matrix2d W = matrix_of(x);
        return (W.transpose() * W).cwiseProduct(A).sum() / 2 - W.cwiseProduct(B).sum() +
               penalty.l1 * W.cwiseAbs().sum() + penalty.l2 / 2 * W.squaredNorm();
      };
      const auto range = [&](const Vector<double>& x, Index i) {
        return column_range(constraint, x.segment(i / 2 * 2, 2), i % 2, 2, 6);
      };
      const Matrix<double> best = matrix_of(NestedSearch(4, range, objective).minimize());
      EXPECT_LT(verify_dictionary(best, A, B, constraint, penalty).worst(), 1e-5);
      // A step towards another feasible point is feasible, and worse.
      for (const Matrix<double>& other :
           {Matrix<double>{{1, 0}, {0, 1}}, Matrix<double>{{0, 1}, {1, 0}}}) {
        const Matrix<double> worse = 0.8 * best + 0.2 * other;
        ASSERT_GT(dictionary_objective(worse, A, B, penalty),
                  dictionary_objective(best, A, B, penalty) + 1e-5);
        EXPECT_GT(verify_dictionary(worse, A, B, constraint, penalty).worst(), 1e-3);
      }
    }
  }
}

// A second atom that no sample uses: anything feasible is optimal without a penalty, only 0 with
// one.
TEST(VerifyDictionary, AnUnusedAtomIsFreeUnlessPenalised) {
  const Matrix<double> A{{1, 0}, {0, 0}};
  const Matrix<double> B{{0.5, 0}, {0.2, 0}};
  const Matrix<double> W{{0.5, 0.7}, {0.2, 0.1}};
  EXPECT_LT(verify_dictionary(W, A, B, tamis::Ball{}, {}).worst(), 1e-12);
  const Matrix<double> shrunk{{0.4, 0.7}, {0.1, 0.1}};
  EXPECT_GT(verify_dictionary(shrunk, A, B, tamis::Ball{}, {0.1, 0}).worst(), 0.01);
  const Matrix<double> cleared{{0.4, 0}, {0.1, 0}};
  EXPECT_LT(verify_dictionary(cleared, A, B, tamis::Ball{}, {0.1, 0}).worst(), 1e-12);
}

}  // namespace
}  // namespace judge
