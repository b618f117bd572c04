// Projections onto the sets C: against brute force in few dimensions, by their properties in many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "support/constraint_sets.hpp"
#include "support/kkt.hpp"
#include "support/nested_search.hpp"
#include "support/random_data.hpp"
#include "tamis/constraint/constraint.hpp"

namespace {

using judge::RandomData;
using tamis::Constraint;
using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

template <class T>
class Projection : public ::testing::Test {
 public:
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  static Vector<double> project(const Constraint& constraint, const Vector<double>& y) {
    Vector<T> w = y.cast<T>();
    std::visit([&](const auto& C) { C.template project<T>(w); }, constraint);
    return w.template cast<double>();
  }
  static bool is_feasible(const Constraint& constraint, const Vector<double>& w, double tolerance) {
    return std::visit(
        [&](const auto& C) { return C.template is_feasible<T>(w.cast<T>(), tolerance); },
        constraint);
  }
  // A random column in the precision under test.
  static Vector<double> column(RandomData& random, Index n, double scale) {
    return random.normal_vector(n, scale).cast<T>().template cast<double>();
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Projection, Scalars);

// Calls check(constraint, y) for every set and many columns.
template <class Fixture, class Check>
void for_random_columns(Check&& check) {
  RandomData random(11);
  for (const Constraint& constraint : judge::all_constraints()) {
    for (const Index n : {1, 2, 7, 100}) {
      for (const double scale : {1e-30, 1e-3, 0.3, 1.0, 40.0, 1e6, 1e30}) {
        SCOPED_TRACE(judge::describe(constraint) + ", F " + std::to_string(n) + ", scale " +
                     std::to_string(scale));
        for (int instance = 0; instance < (judge::small_effort() ? 2 : 10); ++instance) {
          check(constraint, Fixture::column(random, n, scale), random);
        }
      }
    }
  }
}

TYPED_TEST(Projection, MatchesBruteForce) {
  RandomData random(5);
  const Index largest = judge::small_effort() ? 2 : 4;
  for (const Constraint& constraint : judge::all_constraints()) {
    for (Index n = 1; n <= largest; ++n) {
      for (int instance = 0; instance < (n == 4 ? 1 : 4); ++instance) {
        const Vector<double> y = this->column(random, n, n == 1 ? 2 : 0.8);
        SCOPED_TRACE(judge::describe(constraint) + ", y " + ::testing::PrintToString(y));
        const auto range = [&](const Vector<double>& w, Index i) {
          return judge::column_range(constraint, w, i, n, y.norm() + 1);
        };
        const auto distance = [&](const Vector<double>& w) { return (w - y).squaredNorm(); };
        const Vector<double> closest = judge::NestedSearch(n, range, distance).minimize();
        const Vector<double> w = this->project(constraint, y);
        EXPECT_LT((w - closest).cwiseAbs().maxCoeff(), 2e-6);
      }
    }
  }
}

TYPED_TEST(Projection, LandsInTheSet) {
  for_random_columns<TestFixture>(
      [&](const Constraint& constraint, const Vector<double>& y, auto&) {
        const Vector<double> w = this->project(constraint, y);
        const double tolerance = 8 * this->epsilon * std::sqrt(double(y.size()));
        EXPECT_LE(judge::violation(constraint, w), tolerance);
        EXPECT_TRUE(this->is_feasible(constraint, w, tolerance));
      });
}

TYPED_TEST(Projection, LeavesMembersAlone) {
  for_random_columns<TestFixture>(
      [&](const Constraint& constraint, const Vector<double>& y, auto&) {
        const Vector<double> once = this->project(constraint, y);
        const Vector<double> twice = this->project(constraint, once);
        const double size = std::max(once.cwiseAbs().maxCoeff(), 1e-300);
        EXPECT_LE((twice - once).cwiseAbs().maxCoeff(), 8 * this->epsilon * size);
      });
}

TYPED_TEST(Projection, IsFirmlyNonexpansive) {
  for_random_columns<TestFixture>(
      [&](const Constraint& constraint, const Vector<double>& x, RandomData& random) {
        const double nearness = random.uniform(0, 1) < 0.5 ? 0.01 : 1;
        const double size = x.cwiseAbs().maxCoeff();
        const Vector<double> y = x + this->column(random, x.size(), nearness * size);
        const Vector<double> Px = this->project(constraint, x);
        const Vector<double> Py = this->project(constraint, y);
        const Vector<double> moved = Px - Py;
        // ‖Px − Py‖² ≤ (Px − Py)·(x − y), and the rounding of x, y and their images
        const double rounding = 8 * this->epsilon * std::sqrt(double(x.size())) *
                                ((Px.norm() + Py.norm()) * (x - y).norm() + size * moved.norm());
        EXPECT_LE(moved.squaredNorm(), moved.dot(x - y) + rounding);
      });
}

// y − Py makes an obtuse angle with every direction from Py into the set.
TYPED_TEST(Projection, NoMemberIsCloser) {
  for_random_columns<TestFixture>(
      [&](const Constraint& constraint, const Vector<double>& y, RandomData& random) {
        const Vector<double> w = this->project(constraint, y);
        const double size = y.cwiseAbs().maxCoeff();
        for (int competitor = 0; competitor < 5; ++competitor) {
          const Vector<double> z = judge::random_member(constraint, y.size(), size, random);
          const double rounding = 8 * this->epsilon * (y.norm() + w.norm()) * (w.norm() + z.norm());
          EXPECT_LE((y - w).dot(z - w), rounding);
        }
      });
}

// With A = 1 and B = y the dictionary problem is the projection.
TYPED_TEST(Projection, SatisfiesTheOptimalityConditions) {
  for_random_columns<TestFixture>(
      [&](const Constraint& constraint, const Vector<double>& y, auto&) {
        const Matrix<double> w = this->project(constraint, y);
        const auto residuals =
            judge::verify_dictionary(w, Matrix<double>::Ones(1, 1), y, constraint, {});
        EXPECT_LE(residuals.worst(), 32 * this->epsilon * std::sqrt(double(y.size())));
      });
}

TYPED_TEST(Projection, TreatsEqualEntriesEqually) {
  for (const Constraint& constraint : judge::all_constraints()) {
    for (const double value : {-1e30, -1.0, 0.0, 1e-30, 0.1, 1.0, 3.0, 1e10, 1e30}) {
      SCOPED_TRACE(judge::describe(constraint) + ", value " + std::to_string(value));
      const Vector<double> y = Vector<double>::Constant(5, TypeParam(value));
      const Vector<double> w = this->project(constraint, y);
      EXPECT_EQ(w.minCoeff(), w.maxCoeff());
      EXPECT_LE(judge::violation(constraint, w), 16 * this->epsilon);
      const auto residuals =
          judge::verify_dictionary(w, Matrix<double>::Ones(1, 1), y, constraint, {});
      EXPECT_LE(residuals.worst(), 32 * this->epsilon);
    }
  }
}

TYPED_TEST(Projection, SurvivesEntriesOfAllSizes) {
  Vector<double> y(61);
  for (Index i = 0; i < y.size(); ++i) y[i] = double(TypeParam(std::pow(10.0, double(i) - 30)));
  for (const Constraint& constraint : judge::all_constraints()) {
    SCOPED_TRACE(judge::describe(constraint));
    const Vector<double> w = this->project(constraint, y);
    EXPECT_LE(judge::violation(constraint, w), 16 * this->epsilon);
    if (std::visit([](const auto& C) { return C.bounded(); }, constraint)) {
      EXPECT_GT(w[60], 0.99 * w.norm()) << "the far largest entry takes everything";
    }
  }
}

// The threshold falls exactly on an entry, where rounding may put that entry on either side.
TYPED_TEST(Projection, SimplexEndsWhenAnEntryEqualsTheThreshold) {
  RandomData random(3);
  for (int instance = 0; instance < (judge::small_effort() ? 2000 : 50000); ++instance) {
    const Index n = 2 + random.index(6);
    Vector<double> y = this->column(random, n, 0.1);
    const double threshold = (y.head(n - 1).sum() - 1) / double(n - 1);
    y[n - 1] = double(TypeParam(threshold));
    const Vector<double> w = this->project(tamis::Simplex{}, y);
    ASSERT_NEAR(w.sum(), 1, 16 * this->epsilon);
  }
}

// A ball and a column, both s times as large, have a projection that is: also far from size 1,
// where no absolute accuracy will do. Powers of two, so that nothing is rounded.
TYPED_TEST(Projection, ElasticNetIsAsAccurateInTinyAndHugeBalls) {
  RandomData random(17);
  for (const double g2 : {0.0, 1.0}) {
    for (const double s : {0x1p-40, 0x1p-12, 0x1p12, 0x1p40}) {
      SCOPED_TRACE("g2 " + std::to_string(g2) + ", size " + std::to_string(s));
      for (int instance = 0; instance < 10; ++instance) {
        const Vector<double> y = this->column(random, 30, 1);
        const Vector<double> w = this->project(tamis::ElasticNetBall{1, g2}, y);
        const tamis::ElasticNetBall ball{1 / s, g2 / s / s};
        EXPECT_LE((this->project(ball, s * y) / s - w).cwiseAbs().maxCoeff(), 4 * this->epsilon);
      }
    }
  }
}

TYPED_TEST(Projection, FeasibilityNoticesWhatIsOutside) {
  const std::vector<Constraint> nonnegative = {tamis::Ball{}, tamis::NonNegative{},
                                               tamis::Simplex{}, tamis::ElasticNetBall{1, 1}};
  for (const Constraint& constraint : nonnegative) {
    SCOPED_TRACE(judge::describe(constraint));
    EXPECT_FALSE(this->is_feasible(constraint, Vector<double>{{1.0625, -0.0625}}, 1e-3));
    EXPECT_FALSE(this->is_feasible(constraint, Vector<double>{{0.5, -0.0625}}, 1e-3));
  }
  EXPECT_FALSE(this->is_feasible(tamis::Ball{}, Vector<double>{{0.8, 0.7}}, 1e-3));
  EXPECT_FALSE(this->is_feasible(tamis::Simplex{}, Vector<double>{{0.5, 0.6}}, 1e-3));
  EXPECT_FALSE(this->is_feasible(tamis::Simplex{}, Vector<double>{{0.5, 0.4}}, 1e-3));
  EXPECT_FALSE(this->is_feasible(tamis::ElasticNetBall{1, 1}, Vector<double>{{0.5, 0.5}}, 1e-3));
  EXPECT_TRUE(this->is_feasible(tamis::Unconstrained{}, Vector<double>{{-9, 9}}, 0));
}

TYPED_TEST(Projection, TheBoundaryBelongsToTheSet) {
  const std::vector<Constraint> through_this_point = {tamis::Ball{}, tamis::NonNegative{},
                                                      tamis::Simplex{}, tamis::ElasticNetBall{1, 0},
                                                      tamis::ElasticNetBall{0, 2}};
  for (const Constraint& constraint : through_this_point) {
    SCOPED_TRACE(judge::describe(constraint));
    EXPECT_TRUE(this->is_feasible(constraint, Vector<double>{{1, 0}}, 0));
  }
}

}  // namespace
