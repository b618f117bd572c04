// The verifier's building block on minimisers of ½‖x − q‖² + penalty that are known by hand.
#include "support/kkt_block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace judge {
namespace {

using tamis::Index;
using tamis::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
  std::string name;
  std::vector<double> q;
  BlockPenalty penalty;
  Box box;
  std::vector<double> minimiser;
};

Vector<double> vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector<double>>(values.data(), Index(values.size()));
}

Residuals verify_at(const Case& problem, const Vector<double>& x) {
  return verify_block(x, vector_of(problem.q) - x, problem.penalty, problem.box, {});
}

const Box signed_box{};
const Box nonnegative{.low = 0};
const Box small_box{-0.5, 0.5};

const std::vector<Case> cases = {
    {"free", {1.3}, {}, signed_box, {1.3}},
    {"free below a bound", {0.4}, {}, small_box, {0.4}},
    {"at the upper bound", {2}, {}, small_box, {0.5}},
    {"at the lower bound", {-2}, {}, small_box, {-0.5}},
    {"nonnegative at zero", {-0.7}, {}, nonnegative, {0}},
    {"nonnegative inside", {0.7}, {}, nonnegative, {0.7}},
    {"l1 positive", {1}, {.l1 = 0.3}, signed_box, {0.7}},
    {"l1 negative", {-1}, {.l1 = 0.3}, signed_box, {-0.7}},
    {"l1 at the kink", {-0.2}, {.l1 = 0.3}, signed_box, {0}},
    {"l1 at the upper bound", {1}, {.l1 = 0.3}, small_box, {0.5}},
    {"l1 at the lower bound", {-1}, {.l1 = 0.3}, small_box, {-0.5}},
    {"l1 nonnegative at zero", {-9}, {.l1 = 0.3}, nonnegative, {0}},
    {"l1 nonnegative below the threshold", {0.2}, {.l1 = 0.3}, nonnegative, {0}},
    {"infinite l1", {5}, {.l1 = infinity}, signed_box, {0}},
    {"quadratic", {1}, {.quadratic = 1}, signed_box, {0.5}},
    {"l1 and quadratic", {1}, {.l1 = 0.3, .quadratic = 1}, signed_box, {0.35}},
    {"entries on different faces", {2, 0.1, -2, 0.6}, {.l1 = 0.3}, small_box, {0.5, 0, -0.5, 0.3}},
    {"group shrunk", {3, 4}, {.group = 1}, signed_box, {2.4, 3.2}},
    {"group of one", {-3}, {.group = 1}, signed_box, {-2}},
    {"group at zero", {0.3, -0.4}, {.group = 0.6}, signed_box, {0, 0}},
    {"group with a zero entry", {3, 0}, {.group = 1}, signed_box, {2, 0}},
    {"group and quadratic", {3, 4}, {.group = 1, .quadratic = 1}, signed_box, {1.2, 1.6}},
    {"group with a clipped entry", {2.1, 3}, {.group = 1}, {-2, 2}, {1.5, 2}},
    {"group with a clipped negative entry", {2.1, -3}, {.group = 1}, {-2, 2}, {1.5, -2}},
    {"group with all entries clipped", {9, -9}, {.group = 1}, {-2, 2}, {2, -2}},
    {"nonnegative group", {-5, 1}, {.group = 0.4}, nonnegative, {0, 0.6}},
    {"nonnegative group at zero", {-5, 0.3}, {.group = 0.4}, nonnegative, {0, 0}},
    {"nonnegative group, clipped", {-5, 2.1, 3}, {.group = 1}, {0, 2}, {0, 1.5, 2}},
    {"infinite group", {3, 4}, {.group = infinity}, signed_box, {0, 0}},
    {"sparse group", {1, 0.1}, {.l1 = 0.2, .group = 0.4}, signed_box, {0.4, 0}},
    {"sparse group at zero", {0.5, -0.6}, {.l1 = 0.2, .group = 0.51}, signed_box, {0, 0}},
    {"sparse group, clipped", {2.3, 9, 0.1}, {.l1 = 0.2, .group = 1}, {-2, 2}, {1.5, 2, 0}},
    {"sparse group, nonnegative", {-7, 1}, {.l1 = 0.2, .group = 0.4}, nonnegative, {0, 0.4}},
};

TEST(KktBlock, AcceptsMinimisersKnownByHand) {
  for (const Case& problem : cases) {
    SCOPED_TRACE(problem.name);
    EXPECT_LT(verify_at(problem, vector_of(problem.minimiser)).worst(), 1e-12);
  }
}

TEST(KktBlock, RejectsEveryNeighbour) {
  for (const Case& problem : cases) {
    SCOPED_TRACE(problem.name);
    for (Index i = 0; i < Index(problem.q.size()); ++i) {
      for (const double change : {-0.05, 0.05, -1e-3, 1e-3}) {
        Vector<double> x = vector_of(problem.minimiser);
        x[i] += change;
        EXPECT_GT(verify_at(problem, x).worst(), std::abs(change) / 10) << i << " by " << change;
      }
    }
  }
}

// At a bound although the pull points inwards, or is too weak for the ℓ1 part.
TEST(KktBlock, RejectsBoundsThatShouldNotBeActive) {
  for (const double q : {0.4, -0.4, 0.0}) {
    const Case free{"", {q}, {}, small_box, {}};
    EXPECT_NEAR(verify_at(free, Vector<double>{{0.5}}).worst(), 0.5 - q, 1e-12);
    EXPECT_NEAR(verify_at(free, Vector<double>{{-0.5}}).worst(), 0.5 + q, 1e-12);
  }
  const Case positive{"", {0.7}, {.l1 = 0.3}, small_box, {}};
  EXPECT_NEAR(verify_at(positive, Vector<double>{{0.5}}).stationarity, 0.1, 1e-12);
  const Case negative{"", {-0.7}, {.l1 = 0.3}, small_box, {}};
  EXPECT_NEAR(verify_at(negative, Vector<double>{{-0.5}}).stationarity, 0.1, 1e-12);
}

TEST(KktBlock, RejectsTheMinimiserOfAnotherPenalty) {
  const Vector<double> zero = Vector<double>::Zero(2);
  const Vector<double> pull{{-5, 0.3}};
  EXPECT_LT(verify_block(zero, pull, {.group = 0.4}, nonnegative, {}).worst(), 1e-12);
  EXPECT_GT(verify_block(zero, pull, {.group = 0.4}, signed_box, {}).stationarity, 4);
  EXPECT_NEAR(verify_block(zero, pull, {.group = 0.2}, nonnegative, {}).stationarity, 0.1, 1e-12);
  EXPECT_NEAR(verify_block(zero, pull, {.l1 = 0.1, .group = 0.1}, nonnegative, {}).stationarity,
              0.1, 1e-12);
}

TEST(KktBlock, TellsTheThreeResidualsApart) {
  const Vector<double> half{{0.5}};
  const Residuals outside = verify_block(half, Vector<double>{{0}}, {}, {-0.2, 0.2}, {});
  EXPECT_NEAR(outside.feasibility, 0.3, 1e-12);
  EXPECT_EQ(outside.stationarity, 0);

  const Residuals not_stationary = verify_block(half, Vector<double>{{0.25}}, {}, signed_box, {});
  EXPECT_NEAR(not_stationary.stationarity, 0.25, 1e-12);
  EXPECT_EQ(not_stationary.feasibility, 0);
  EXPECT_EQ(not_stationary.complementarity, 0);

  // The multiplier of x ≥ 0 explains the pull, but x is not quite 0.
  const Vector<double> small{{1e-3}};
  const Residuals not_complementary =
      verify_block(small, Vector<double>{{-2}}, {}, nonnegative, {});
  EXPECT_EQ(not_complementary.stationarity, 0);
  EXPECT_NEAR(not_complementary.complementarity, 1e-3, 1e-12);
}

TEST(KktBlock, MeasuresInTheGivenUnits) {
  const Scale scale{.gradient = 10, .point = 100};
  EXPECT_NEAR(verify_block(Vector<double>{{3}}, Vector<double>{{5}}, {}, {}, scale).stationarity,
              0.5, 1e-12);
  EXPECT_NEAR(
      verify_block(Vector<double>{{-3}}, Vector<double>{{0}}, {}, {.low = 0}, scale).feasibility,
      0.03, 1e-12);
}

TEST(KktBlock, RejectsWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const BlockPenalty& penalty :
       {BlockPenalty{}, BlockPenalty{.l1 = 1}, BlockPenalty{.group = 1}}) {
    EXPECT_EQ(verify_block(Vector<double>{{nan}}, Vector<double>{{0}}, penalty, {}, {}).worst(),
              infinity);
    EXPECT_EQ(verify_block(Vector<double>{{0}}, Vector<double>{{nan}}, penalty, {}, {}).worst(),
              infinity);
  }
}

TEST(KktBlock, AnEmptyBlockIsOptimal) {
  EXPECT_EQ(verify_block(Vector<double>(0), Vector<double>(0), {.group = 1}, {}, {}).worst(), 0);
}

}  // namespace
}  // namespace judge
