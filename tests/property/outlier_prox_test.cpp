// Proximal maps of the outlier penalties with the box: against brute force in few dimensions, by
// the optimality conditions and other properties in many.
#include "support/outlier_prox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/nested_search.hpp"
#include "support/penalty_weights.hpp"
#include "support/random_data.hpp"

namespace {

using judge::OutlierProx;
using judge::RandomData;
using tamis::Groups;
using tamis::Index;
using tamis::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<tamis::OutlierPenalty> penalties = {tamis::L1{},
                                                      tamis::ElasticOutliers{0.8},
                                                      tamis::ElasticOutliers{0},
                                                      tamis::GroupOutliers{},
                                                      tamis::SparseGroupOutliers{0.4},
                                                      tamis::SparseGroupOutliers{0},
                                                      tamis::SparseGroupOutliers{1}};

// The whole column, single entries, and interleaved blocks.
std::vector<Groups> groupings(Index n) {
  Groups singles;
  Groups interleaved(2);
  for (Index i = 0; i < n; ++i) {
    singles.push_back({i});
    interleaved[i % 3 == 1 ? 0 : 1].push_back(i);
  }
  std::vector<Groups> result = {{}, singles};
  if (n >= 2) result.push_back(interleaved);
  return result;
}

template <class T>
class OutlierProxTest : public ::testing::Test {
 public:
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  static Vector<double> column(RandomData& random, Index n, double scale) {
    return random.normal_vector(n, scale).cast<T>().template cast<double>();
  }

  // Calls check(prox) for all penalties, groupings of n entries, weights, bounds and signs.
  template <class Check>
  static void for_all(Index n, const std::vector<double>& bounds, Check&& check) {
    for (const auto& penalty : penalties) {
      for (const Groups& groups : groupings(n)) {
        for (const auto& [t, lambda] : std::vector<std::pair<double, double>>{
                 {1, 0.5}, {0.3, 1}, {0, 0.5}, {1, 0}, {1, infinity}, {0, infinity}}) {
          for (const double M : bounds) {
            for (const bool nonnegative : {false, true}) {
              const auto prox = OutlierProx{penalty, groups, t, lambda, M, nonnegative};
              SCOPED_TRACE(prox.describe());
              check(prox.template rounded<T>());
            }
          }
        }
      }
    }
  }

  // The same with random columns of many sizes, check(prox, q, random).
  template <class Check>
  static void for_random_columns(Check&& check) {
    RandomData random(29);
    for (const Index n : {1, 2, 5, 40}) {
      for_all(n, {0.3, 1e-30, infinity}, [&](const OutlierProx& prox) {
        for (const double scale : {1e-30, 0.3, 3.0, 1e30}) {
          check(prox, column(random, n, scale), random);
          if (!judge::small_effort()) check(prox, column(random, n, scale), random);
        }
      });
    }
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(OutlierProxTest, Scalars);

TYPED_TEST(OutlierProxTest, MatchesBruteForce) {
  RandomData random(31);
  for (Index n = 1; n <= 2; ++n) {
    this->for_all(n, {0.3, infinity}, [&](const OutlierProx& prox) {
      const Vector<double> q = this->column(random, n, 1);
      const auto blocks = judge::outlier_blocks(prox.problem(q));
      const double high = std::min(prox.M, q.cwiseAbs().maxCoeff());
      const auto range = [&](const Vector<double>&, Index) {
        return judge::SearchRange{prox.nonnegative ? 0 : -high, high};
      };
      const auto objective = [&](const Vector<double>& r) {
        return (r - q).squaredNorm() / 2 + judge::penalty_value(r, blocks);
      };
      // An infinite weight leaves only r = 0, where a search over finite values has nothing to do.
      const bool only_zero =
          blocks[0].penalty.l1 == infinity || blocks[0].penalty.group == infinity;
      const Vector<double> best = only_zero ? Vector<double>(Vector<double>::Zero(n))
                                            : judge::NestedSearch(n, range, objective).minimize();
      EXPECT_LT((prox.apply<TypeParam>(q) - best).cwiseAbs().maxCoeff(), 2e-6) << q.transpose();
    });
  }
}

// 0/0 has to be avoided.
TYPED_TEST(OutlierProxTest, ABlockOfZerosStaysZeroAlsoWithoutPenalty) {
  this->for_all(4, {0.3, infinity}, [&](const OutlierProx& prox) {
    for (const double lambda : {0.0, prox.lambda}) {
      OutlierProx other = prox;
      other.lambda = lambda;
      EXPECT_TRUE(other.apply<TypeParam>(Vector<double>::Zero(4)).isZero(0));
    }
  });
}

// Blocks in which some entries reach the bound and others do not.
TYPED_TEST(OutlierProxTest, MatchesBruteForceInClippedBlocks) {
  RandomData random(37);
  const Index largest = judge::small_effort() ? 3 : 4;
  for (Index n = 3; n <= largest; ++n) {
    for (const double nu : {1.0, 0.6}) {
      for (const bool nonnegative : {false, true}) {
        const OutlierProx prox =
            OutlierProx{tamis::SparseGroupOutliers{nu}, {}, 1, 0.2, 0.4, nonnegative}
                .rounded<TypeParam>();
        SCOPED_TRACE(prox.describe());
        Vector<double> q = this->column(random, n, 0.5);
        q[0] = 1.5;
        const auto blocks = judge::outlier_blocks(prox.problem(q));
        const auto range = [&](const Vector<double>&, Index) {
          return judge::SearchRange{prox.nonnegative ? 0 : -prox.M, prox.M};
        };
        const auto objective = [&](const Vector<double>& r) {
          return (r - q).squaredNorm() / 2 + judge::penalty_value(r, blocks);
        };
        const Vector<double> best = judge::NestedSearch(n, range, objective).minimize();
        ASSERT_NEAR(best[0], prox.M, 1e-9) << "meant to be clipped";
        EXPECT_LT((prox.apply<TypeParam>(q) - best).cwiseAbs().maxCoeff(), 2e-6) << q.transpose();
      }
    }
  }
}

TYPED_TEST(OutlierProxTest, SatisfiesTheOptimalityConditions) {
  this->for_random_columns([&](const OutlierProx& prox, const Vector<double>& q, auto&) {
    const Vector<double> r = prox.apply<TypeParam>(q);
    const auto residuals = prox.verify(q, r);
    EXPECT_EQ(residuals.feasibility, 0);
    EXPECT_LE(residuals.worst(), 16 * this->epsilon) << q.transpose() << "\n" << r.transpose();
  });
}

TYPED_TEST(OutlierProxTest, IsFirmlyNonexpansive) {
  this->for_random_columns(
      [&](const OutlierProx& prox, const Vector<double>& x, RandomData& random) {
        const double step = random.uniform(0, 1) * x.cwiseAbs().maxCoeff();
        const Vector<double> y = x + this->column(random, x.size(), step);
        const Vector<double> moved = prox.apply<TypeParam>(x) - prox.apply<TypeParam>(y);
        const double rounding = 8 * this->epsilon * (x.norm() + y.norm()) * (x - y).norm();
        EXPECT_LE(moved.squaredNorm(), moved.dot(x - y) + rounding);
      });
}

TYPED_TEST(OutlierProxTest, NoRandomOutlierIsBetter) {
  this->for_random_columns([&](const OutlierProx& prox, const Vector<double>& q,
                               RandomData& random) {
    const Vector<double> r = prox.apply<TypeParam>(q);
    const double least = prox.objective(q, r);
    for (const double step : {1.0, 1e-2}) {
      const double size = step * std::min(prox.M, q.cwiseAbs().maxCoeff());
      const Vector<double> other = (r + random.normal_vector(q.size(), size))
                                       .cwiseMax(prox.nonnegative ? 0 : -prox.M)
                                       .cwiseMin(prox.M);
      EXPECT_LE(least, prox.objective(q, other) * (1 + 1e-12) + this->epsilon * q.squaredNorm());
    }
  });
}

TYPED_TEST(OutlierProxTest, MissingEntriesPassThroughAndDoNotCount) {
  RandomData random(41);
  this->for_all(6, {0.3, infinity}, [&](const OutlierProx& prox) {
    Vector<double> q = this->column(random, 6, 1);
    q[1] = q[4] = 0;
    const Vector<double> expected = prox.apply<TypeParam>(q);
    q[1] = q[4] = nan;
    const Vector<double> r = prox.apply<TypeParam>(q);
    for (const Index i : {0, 2, 3, 5}) EXPECT_EQ(r[i], expected[i]) << i;
    EXPECT_TRUE(std::isnan(r[1]) && std::isnan(r[4]));
    EXPECT_LE(prox.verify(q, r).worst(), 16 * this->epsilon);
  });
}

TYPED_TEST(OutlierProxTest, ACompletelyMissingColumnPassesThrough) {
  this->for_all(3, {0.3, infinity}, [&](const OutlierProx& prox) {
    EXPECT_TRUE(prox.apply<TypeParam>(Vector<double>::Constant(3, nan)).array().isNaN().all());
  });
}

TYPED_TEST(OutlierProxTest, ZeroStaysZero) {
  this->for_all(4, {0.3, infinity}, [&](const OutlierProx& prox) {
    EXPECT_EQ(prox.apply<TypeParam>(Vector<double>::Zero(4)), Vector<double>::Zero(4));
  });
}

TYPED_TEST(OutlierProxTest, EqualEntriesStayEqual) {
  this->for_all(5, {0.3, infinity}, [&](const OutlierProx& prox) {
    OutlierProx whole = prox;
    whole.groups = {};
    const Vector<double> r = whole.apply<TypeParam>(Vector<double>::Constant(5, 2));
    EXPECT_EQ(r.minCoeff(), r.maxCoeff());
  });
}

TYPED_TEST(OutlierProxTest, AnInfiniteWeightForbidsOutliers) {
  this->for_all(4, {0.3, infinity}, [&](const OutlierProx& prox) {
    if (prox.lambda < infinity || prox.t == 0) return;
    const Vector<double> q{{1, -2, 1e30, -1e-30}};
    EXPECT_EQ(prox.apply<TypeParam>(q), Vector<double>::Zero(4));
  });
}

// Bounds of any size relative to the data; the norm of the result is then far from that of q.
TYPED_TEST(OutlierProxTest, BlocksMeetBoundsOfAnySize) {
  for (const double M : {1e-30, 1e-12, 1e-6, 1.0, 1e6, 1e12}) {
    for (const double size : {1e-6, 1.0, 1e12, 1e30}) {
      for (const double lambda : {1e-12, 1e-3, 1.0, 1e6}) {
        const OutlierProx prox =
            OutlierProx{tamis::GroupOutliers{}, {}, 1, lambda, M, false}.rounded<TypeParam>();
        SCOPED_TRACE(prox.describe() + ", size " + std::to_string(size));
        const Vector<double> q = (size * Vector<double>{{3, -1, 0.1, M / size}})
                                     .cast<TypeParam>()
                                     .template cast<double>();
        const Vector<double> r = prox.apply<TypeParam>(q);
        EXPECT_LE(prox.verify(q, r).worst(), 16 * this->epsilon) << r.transpose();
        // Entries below the bound are q·n/(n + t√ξ) with n = ‖r‖, to the last digits also when
        // tiny.
        constexpr double smallest = 1e3 * double(std::numeric_limits<TypeParam>::min());
        const double n = r.norm();
        for (Index i = 0; i < 4; ++i) {
          const double free = q[i] * (n / (n + 2 * prox.lambda));
          if (std::abs(free) > 0.99 * prox.M || std::abs(free) < smallest) continue;
          EXPECT_NEAR(r[i], free, 8 * this->epsilon * std::abs(free)) << i;
        }
      }
    }
  }
}

TYPED_TEST(OutlierProxTest, ValueIsTheFormula) {
  RandomData random(43);
  this->for_all(6, {infinity}, [&](const OutlierProx& prox) {
    const Vector<double> r = this->column(random, 6, 1);
    OutlierProx once = prox;
    once.t = 1;
    const double expected = judge::penalty_value(r, judge::outlier_blocks(once.problem(r)));
    const double value = std::visit(
        [&](const auto& p) {
          return p.template value<TypeParam>(r.cast<TypeParam>(), prox.lambda, prox.groups);
        },
        prox.penalty);
    if (std::isinf(expected)) {
      EXPECT_EQ(value, expected);
    } else {
      EXPECT_NEAR(value, expected, 1e-13 * expected);
    }
  });
}

}  // namespace
