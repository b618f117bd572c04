// The verifier of the encoding problem: it must accept optima found by hand, by brute force and by
// a slow reference solver, and reject whatever has a higher objective.
#include "support/kkt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/nested_search.hpp"
#include "support/random_data.hpp"
#include "support/reference_encoder.hpp"
#include "tamis/fields.hpp"

namespace judge {
namespace {

using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<tamis::CodePenalty> code_penalties = {tamis::NoCodePenalty{},
                                                        tamis::Lasso{0.1},
                                                        tamis::Tikhonov{0.2},
                                                        tamis::GroupLasso{0.1},
                                                        tamis::SparseGroupLasso{0.2, 0.5},
                                                        tamis::SparseGroupLasso{0.2, 0.0},
                                                        tamis::SparseGroupLasso{0.2, 1.0}};

const std::vector<tamis::OutlierPenalty> outlier_penalties = {tamis::L1{},
                                                              tamis::ElasticOutliers{0.3},
                                                              tamis::GroupOutliers{},
                                                              tamis::SparseGroupOutliers{0.5},
                                                              tamis::SparseGroupOutliers{0.0},
                                                              tamis::SparseGroupOutliers{1.0}};

std::string describe(const EncodeProblem& problem) {
  return "code " + std::string(name_of(problem.code_penalty)) + ", outliers " +
         std::string(name_of(problem.outlier_penalty)) + ", M " + std::to_string(problem.M) +
         (problem.nonneg_outliers ? ", r ≥ 0" : ", signed");
}

TEST(EncodeObjective, IsTheSumOfItsTerms) {
  EncodeProblem problem{.W = Matrix<double>{{1, 0}, {2, 1}, {9, 9}},
                        .v = Vector<double>{{1, 2, nan}}};
  problem.lambda = 0.5;
  problem.code_penalty = tamis::SparseGroupLasso{0.4, 0.25};
  problem.outlier_penalty = tamis::SparseGroupOutliers{0.25};
  const Vector<double> h{{0.5, 0.25}};
  const Vector<double> r{{-0.3, 0.4, nan}};
  const double fit = (0.8 * 0.8 + 0.35 * 0.35) / 2;
  const double code = 0.4 * (0.25 * std::sqrt(2) * h.norm() + 0.75 * 0.75);
  const double outlier = 0.5 * (0.25 * std::sqrt(3) * 0.5 + 0.75 * 0.7);
  EXPECT_NEAR(encode_objective(problem, h, r), fit + code + outlier, 1e-12);
}

TEST(EncodeObjective, NoOutlierIsFreeEvenWhenInfinitelyDear) {
  const EncodeProblem problem{
      .W = Matrix<double>{{1}}, .v = Vector<double>{{2}}, .lambda = infinity};
  EXPECT_EQ(encode_objective(problem, Vector<double>{{1}}, Vector<double>{{0}}), 0.5);
  EXPECT_EQ(encode_objective(problem, Vector<double>{{1}}, Vector<double>{{0.1}}), infinity);
}

// v = 3w plus a spike of 2 in the last entry: with λ = 0.3 the ℓ1 solution is r = 2 − …, solved by
// hand: on the support {last}, e = (d, d, λ) with 2d = −λ from wᵀe = 0, so h = 3 + λ/2.
TEST(VerifyEncode, AcceptsASolutionByHandAndNothingElse) {
  const EncodeProblem problem{
      .W = Matrix<double>{{1}, {1}, {1}}, .v = Vector<double>{{3, 3, 5}}, .lambda = 0.3};
  const Vector<double> h{{3.15}};
  const Vector<double> r{{0, 0, 1.55}};
  EXPECT_LT(verify_encode(problem, h, r).worst(), 1e-12);
  EXPECT_GT(verify_encode(problem, Vector<double>{{3.16}}, r).h.stationarity, 1e-3);
  EXPECT_GT(verify_encode(problem, h, Vector<double>{{0, 0, 1.5}}).r.stationarity, 1e-3);
  EXPECT_GT(verify_encode(problem, Vector<double>{{-0.1}}, r).h.feasibility, 1e-3);

  EncodeProblem bounded = problem;
  bounded.M = 1;
  EXPECT_GT(verify_encode(bounded, h, r).r.feasibility, 0.1);
  EncodeProblem without_outliers = problem;
  without_outliers.lambda = infinity;
  EXPECT_LT(
      verify_encode(without_outliers, Vector<double>{{11 / 3.0}}, Vector<double>::Zero(3)).worst(),
      1e-12);
}

TEST(VerifyEncode, MissingEntriesDoNotCount) {
  EncodeProblem problem{.W = Matrix<double>{{1}, {1}, {7}},
                        .v = Vector<double>{{2, 2, nan}},
                        .lambda = 0.3,
                        .M = 0.5};
  EXPECT_LT(verify_encode(problem, Vector<double>{{2}}, Vector<double>{{0, 0, 99}}).worst(), 1e-12);
  // A block keeps the weight of its nominal size: zero iff ‖pull‖ ≤ λ√3, here 0.3√3 ≈ 0.52.
  problem.code_penalty = tamis::Lasso{1.01};
  problem.v = Vector<double>{{0.5, 0, nan}};
  problem.outlier_penalty = tamis::GroupOutliers{};
  EXPECT_LT(verify_encode(problem, Vector<double>{{0}}, Vector<double>{{0, 0, nan}}).worst(),
            1e-12);
  problem.v = Vector<double>{{0.53, 0, nan}};
  EXPECT_GT(verify_encode(problem, Vector<double>{{0}}, Vector<double>{{0, 0, nan}}).worst(), 1e-3);
}

TEST(VerifyEncode, AnEmptySampleHasAnEmptyCode) {
  const EncodeProblem problem{.W = Matrix<double>{{1}, {1}},
                              .v = Vector<double>{{nan, nan}},
                              .code_penalty = tamis::Lasso{0.1}};
  EXPECT_EQ(verify_encode(problem, Vector<double>{{0}}, Vector<double>{{0, 0}}).worst(), 0);
  EXPECT_GT(verify_encode(problem, Vector<double>{{1}}, Vector<double>{{0, 0}}).worst(), 0.05);
}

TEST(VerifyEncode, RejectsWhatIsNotANumber) {
  const EncodeProblem problem{.W = Matrix<double>{{1}}, .v = Vector<double>{{1}}};
  EXPECT_EQ(verify_encode(problem, Vector<double>{{nan}}, Vector<double>{{0}}).worst(), infinity);
  EXPECT_EQ(verify_encode(problem, Vector<double>{{1}}, Vector<double>{{nan}}).worst(), infinity);
}

// All of (h, r) by nested search.
Code search(const EncodeProblem& problem) {
  const Index K = problem.W.cols();
  const auto range = [&](const Vector<double>&, Index i) {
    if (i < K) return SearchRange{0, 4};
    const double high = std::min(problem.M, 4.0);
    return SearchRange{problem.nonneg_outliers ? 0 : -high, high};
  };
  const auto objective = [&](const Vector<double>& x) {
    return encode_objective(problem, x.head(K), x.tail(problem.v.size()));
  };
  const Vector<double> x = NestedSearch(K + problem.v.size(), range, objective).minimize();
  return {x.head(K), x.tail(problem.v.size())};
}

TEST(VerifyEncode, AcceptsTheOutliersFoundByBruteForce) {
  for (const auto& penalty : outlier_penalties) {
    for (const double M : {0.3, infinity}) {
      for (const bool nonnegative : {false, true}) {
        if (small_effort() && nonnegative) continue;
        const EncodeProblem problem{.W = Matrix<double>{{1}, {0.6}},
                                    .v = Vector<double>{{1, 0.1}},
                                    .lambda = 0.15,
                                    .M = M,
                                    .nonneg_outliers = nonnegative,
                                    .code_penalty = tamis::Tikhonov{0.1},
                                    .outlier_penalty = penalty};
        SCOPED_TRACE(describe(problem));
        const Code best = search(problem);
        EXPECT_LT(verify_encode(problem, best.h, best.r).worst(), 1e-6);
      }
    }
  }
}

TEST(VerifyEncode, AcceptsTheCodesFoundByBruteForce) {
  for (const auto& penalty : code_penalties) {
    for (const double v : {1.0, 0.05}) {
      const EncodeProblem problem{.W = Matrix<double>{{1, 0.4}},
                                  .v = Vector<double>{{v}},
                                  .lambda = 0.2,
                                  .code_penalty = penalty};
      SCOPED_TRACE(describe(problem) + ", v " + std::to_string(v));
      const Code best = search(problem);
      EXPECT_LT(verify_encode(problem, best.h, best.r).worst(), 1e-6);
    }
  }
}

// F = 8, K = 3 with a spike, a negative spike and a missing entry.
EncodeProblem random_problem(std::uint64_t seed) {
  RandomData random(seed);
  EncodeProblem problem{.W = random.uniform_matrix(8, 3), .v = {}, .lambda = 0.2};
  problem.v = problem.W * Vector<double>{{0.8, 0.02, 0.4}} + random.normal_vector(8, 0.1);
  problem.v[1] += 1;
  problem.v[2] -= 0.9;
  problem.v[5] = nan;
  problem.code_groups = {{0, 2}, {1}};
  problem.outlier_groups = {{0, 1, 2}, {3, 4, 5}, {6, 7}};
  return problem;
}

// Every entry moved a little, within the set: a worse point must be seen as such.
void expect_worse_points_rejected(const EncodeProblem& problem, const Code& best) {
  const double least = encode_objective(problem, best.h, best.r);
  const auto expect_rejected = [&](const Code& moved) {
    if (encode_objective(problem, moved.h, moved.r) > least + 1e-6) {
      EXPECT_GT(verify_encode(problem, moved.h, moved.r).worst(), 1e-5);
    }
  };
  for (const double change : {-0.02, 0.02}) {
    for (Index k = 0; k < best.h.size(); ++k) {
      Code moved = best;
      moved.h[k] = std::max(0.0, moved.h[k] + change);
      expect_rejected(moved);
    }
    for (Index i = 0; i < best.r.size(); ++i) {
      Code moved = best;
      const double low = problem.nonneg_outliers ? 0 : -problem.M;
      moved.r[i] = std::clamp(moved.r[i] + change, low, problem.M);
      if (!std::isnan(problem.v[i])) expect_rejected(moved);
    }
  }
}

TEST(VerifyEncode, AcceptsTheReferenceSolverAndRejectsWorsePoints) {
  for (const auto& code_penalty : code_penalties) {
    for (const auto& outlier_penalty : outlier_penalties) {
      for (const double M : {0.3, infinity}) {
        for (const bool nonnegative : {false, true}) {
          EncodeProblem problem = random_problem(7);
          problem.code_penalty = code_penalty;
          problem.outlier_penalty = outlier_penalty;
          problem.M = M;
          problem.nonneg_outliers = nonnegative;
          SCOPED_TRACE(describe(problem));
          const Code best = reference_encode(problem, small_effort() ? 500 : 1500);
          EXPECT_LT(verify_encode(problem, best.h, best.r).worst(), 1e-6);
          expect_worse_points_rejected(problem, best);
        }
      }
    }
  }
}

}  // namespace
}  // namespace judge
