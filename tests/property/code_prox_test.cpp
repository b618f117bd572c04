// Proximal maps of the code penalties, argmin over h ≥ 0 of ½‖h − x‖² + tψ(h): against brute force
// in few dimensions, by the optimality conditions and other properties in many.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "support/kkt.hpp"
#include "support/nested_search.hpp"
#include "support/penalty_weights.hpp"
#include "support/random_data.hpp"
#include "tamis/fields.hpp"
#include "tamis/regularizer/code_penalty.hpp"

namespace {

using judge::RandomData;
using tamis::CodePenalty;
using tamis::Groups;
using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

const std::vector<CodePenalty> penalties = {tamis::NoCodePenalty{},
                                            tamis::Lasso{0.3},
                                            tamis::Lasso{0},
                                            tamis::Tikhonov{0.7},
                                            tamis::GroupLasso{0.4},
                                            tamis::GroupLasso{0},
                                            tamis::SparseGroupLasso{0.6, 0.4},
                                            tamis::SparseGroupLasso{0.6, 0},
                                            tamis::SparseGroupLasso{0.6, 1}};

// One group, groups of one, and interleaved groups of different sizes.
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

// tψ, as the verifier reads it
CodePenalty scaled(CodePenalty penalty, double t) {
  std::visit(
      [&](auto& p) {
        if constexpr (requires { p.lambda; }) p.lambda *= t;
      },
      penalty);
  return penalty;
}

template <class T>
class CodeProx : public ::testing::Test {
 public:
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  static Vector<double> prox(const CodePenalty& penalty, const Vector<double>& x, double t,
                             const Groups& groups) {
    Vector<T> h = x.cast<T>();
    std::visit([&](const auto& p) { p.template prox<T>(h, T(t), groups); }, penalty);
    return h.template cast<double>();
  }
  static double value(const CodePenalty& penalty, const Vector<double>& h, const Groups& groups) {
    return std::visit([&](const auto& p) { return p.template value<T>(h.cast<T>(), groups); },
                      penalty);
  }
  static Vector<double> code(RandomData& random, Index n, double scale) {
    return random.normal_vector(n, scale).cast<T>().template cast<double>();
  }
  // With W = I and no outliers, encoding x is the proximal map.
  static judge::EncodeProblem problem(const CodePenalty& penalty, const Vector<double>& x, double t,
                                      const Groups& groups) {
    return {.W = Matrix<double>::Identity(x.size(), x.size()),
            .v = x,
            .lambda = std::numeric_limits<double>::infinity(),
            .code_penalty = scaled(penalty, t),
            .code_groups = groups};
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CodeProx, Scalars);

std::string describe(const CodePenalty& penalty, Index n, double t, const Groups& groups) {
  return std::string(tamis::name_of(penalty)) + ", K " + std::to_string(n) + ", t " +
         std::to_string(t) + ", " + std::to_string(groups.size()) + " groups";
}

// Calls check(penalty, x, t, groups, random) for every penalty and grouping and many codes.
template <class Fixture, class Check>
void for_random_codes(Check&& check) {
  RandomData random(17);
  for (const CodePenalty& penalty : penalties) {
    for (const Index n : {1, 2, 5, 60}) {
      for (const Groups& groups : groupings(n)) {
        for (const double t : {0.0, 1e-3, 1.0, 8.0}) {
          SCOPED_TRACE(describe(penalty, n, t, groups));
          for (const double scale : {1e-30, 0.1, 1.0, 30.0, 1e30}) {
            const int instances = judge::small_effort() ? 1 : 5;
            for (int instance = 0; instance < instances; ++instance) {
              check(penalty, Fixture::code(random, n, scale), t, groups, random);
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(CodeProx, MatchesBruteForce) {
  RandomData random(23);
  const Index largest = judge::small_effort() ? 2 : 4;
  for (const CodePenalty& penalty : penalties) {
    for (Index n = 1; n <= largest; ++n) {
      const Groups groups = groupings(n).back();
      for (int instance = 0; instance < (n == 4 ? 1 : 5); ++instance) {
        const double t = random.uniform(0, 2);
        const Vector<double> x = this->code(random, n, 1);
        SCOPED_TRACE(describe(penalty, n, t, groups));
        const auto blocks = judge::code_blocks(this->problem(penalty, x, t, groups));
        const auto range = [&](const Vector<double>&, Index) {
          return judge::SearchRange{0, x.cwiseAbs().maxCoeff()};
        };
        const auto objective = [&](const Vector<double>& h) {
          return (h - x).squaredNorm() / 2 + judge::penalty_value(h, blocks);
        };
        const Vector<double> best = judge::NestedSearch(n, range, objective).minimize();
        const Vector<double> h = this->prox(penalty, x, t, groups);
        EXPECT_LT((h - best).cwiseAbs().maxCoeff(), 2e-6);
        EXPECT_LE(objective(h), objective(best) + 4 * this->epsilon);
      }
    }
  }
}

TYPED_TEST(CodeProx, SatisfiesTheOptimalityConditions) {
  for_random_codes<TestFixture>([&](const CodePenalty& penalty, const Vector<double>& x, double t,
                                    const Groups& groups, auto&) {
    const Vector<double> h = this->prox(penalty, x, double(TypeParam(t)), groups);
    EXPECT_GE(h.minCoeff(), 0);
    const auto problem = this->problem(penalty, x, double(TypeParam(t)), groups);
    const auto report = judge::verify_encode(problem, h, Vector<double>::Zero(x.size()));
    EXPECT_LE(report.h.worst(), 8 * this->epsilon);
  });
}

TYPED_TEST(CodeProx, IsFirmlyNonexpansive) {
  for_random_codes<TestFixture>([&](const CodePenalty& penalty, const Vector<double>& x, double t,
                                    const Groups& groups, RandomData& random) {
    const double size = x.cwiseAbs().maxCoeff();
    const Vector<double> y = x + this->code(random, x.size(), random.uniform(0, 1) * size);
    const Vector<double> Px = this->prox(penalty, x, t, groups);
    const Vector<double> Py = this->prox(penalty, y, t, groups);
    const double rounding = 8 * this->epsilon * (x.norm() + y.norm()) * (x - y).norm();
    EXPECT_LE((Px - Py).squaredNorm(), (Px - Py).dot(x - y) + rounding);
  });
}

TYPED_TEST(CodeProx, NoRandomCodeIsBetter) {
  for_random_codes<TestFixture>([&](const CodePenalty& penalty, const Vector<double>& x, double t,
                                    const Groups& groups, RandomData& random) {
    const auto blocks = judge::code_blocks(this->problem(penalty, x, t, groups));
    const auto objective = [&](const Vector<double>& h) {
      return (h - x).squaredNorm() / 2 + judge::penalty_value(h, blocks);
    };
    const Vector<double> h = this->prox(penalty, x, t, groups);
    const double least = objective(h);
    const double size = x.cwiseAbs().maxCoeff();
    for (const double step : {1.0, 0.1, 1e-3}) {
      const Vector<double> other = (h + random.normal_vector(x.size(), step * size)).cwiseMax(0.0);
      EXPECT_LE(least, objective(other) * (1 + 1e-12) + this->epsilon * x.squaredNorm());
    }
  });
}

TYPED_TEST(CodeProx, WithoutWeightOnlyClips) {
  for_random_codes<TestFixture>([&](const CodePenalty& penalty, const Vector<double>& x, double t,
                                    const Groups& groups, auto&) {
    EXPECT_EQ(this->prox(penalty, x, 0, groups), Vector<double>(x.cwiseMax(0.0)));
    EXPECT_EQ(this->prox(scaled(penalty, 0), x, t, groups), Vector<double>(x.cwiseMax(0.0)));
  });
}

TYPED_TEST(CodeProx, ZeroStaysZero) {
  for (const CodePenalty& penalty : penalties) {
    for (const Groups& groups : groupings(4)) {
      EXPECT_EQ(this->prox(penalty, Vector<double>::Zero(4), 1, groups), Vector<double>::Zero(4));
    }
  }
}

TYPED_TEST(CodeProx, EqualEntriesStayEqual) {
  for (const CodePenalty& penalty : penalties) {
    const Vector<double> h = this->prox(penalty, Vector<double>::Constant(6, 2), 0.5, {});
    EXPECT_EQ(h.minCoeff(), h.maxCoeff()) << tamis::name_of(penalty);
  }
}

TYPED_TEST(CodeProx, TheEndsOfTheSparseGroupAreLassoAndGroup) {
  for_random_codes<TestFixture>(
      [&](const CodePenalty&, const Vector<double>& x, double t, const Groups& groups, auto&) {
        const tamis::SparseGroupLasso all_l1{0.6, 0};
        const tamis::SparseGroupLasso all_group{0.6, 1};
        EXPECT_EQ(this->prox(all_l1, x, t, groups), this->prox(tamis::Lasso{0.6}, x, t, groups));
        EXPECT_EQ(this->prox(all_group, x, t, groups),
                  this->prox(tamis::GroupLasso{0.6}, x, t, groups));
      });
}

TYPED_TEST(CodeProx, ValueIsTheFormula) {
  for_random_codes<TestFixture>([&](const CodePenalty& penalty, const Vector<double>& x, double,
                                    const Groups& groups, auto&) {
    const Vector<double> h = x.cwiseAbs();
    const double expected =
        judge::penalty_value(h, judge::code_blocks(this->problem(penalty, h, 1, groups)));
    EXPECT_NEAR(this->value(penalty, h, groups), expected, 1e-13 * expected);
  });
}

}  // namespace
