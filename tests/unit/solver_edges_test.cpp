// Edges of the solvers that a whole fit seldom meets: the first and the last of something, exactly
// zero, exactly at a bound.
#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dictionary/reseed.hpp"
#include "dictionary/stochastic.hpp"
#include "support/kit.hpp"
#include "support/kkt.hpp"
#include "support/random_data.hpp"
#include "support/scene.hpp"
#include "tamis/error.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(SolverEdges, ACodePenaltyOfWeightZeroIsNone) {
  const Matrix<double> V =
      make_scene({.features = 20, .rank = 4, .samples = 40, .outlier_share = 0.1, .seed = 4}).V;
  const auto W_with = [&](const CodePenalty& penalty) {
    Settings settings = plain_settings(4);
    settings.code_penalty = penalty;
    return Trainer<double>(settings).fit(V).model.W;
  };
  const Matrix<double> W = W_with(NoCodePenalty{});
  EXPECT_TRUE(same_bits(W_with(Lasso{0}), W));
  EXPECT_TRUE(same_bits(W_with(Tikhonov{0}), W));
  EXPECT_TRUE(same_bits(W_with(GroupLasso{0}), W));
  EXPECT_TRUE(same_bits(W_with(SparseGroupLasso{0, 0.5}), W));
}

// With this tolerance every sample that does not become worse stops after one iteration, the first
// of a block as well.
TEST(SolverEdges, ThePublishedEncodersCompareTheFirstIterationWithTheStart) {
  const Scene scene = make_scene({.features = 20, .rank = 4, .samples = 3, .seed = 4});
  Opgd opgd;
  Oadmm oadmm;
  for (const double tolerance : {0.0, 1.0}) {
    opgd.stopping = oadmm.stopping = {.tolerance = tolerance, .iterations = tolerance > 0 ? 50 : 1};
    const auto codes = [&](const Algorithm& algorithm) {
      return solve_codes<double>(scene.W, scene.V, 0.1, plain_settings(4, algorithm));
    };
    EXPECT_EQ(codes(opgd).iterations, 1);
    EXPECT_EQ(codes(oadmm).iterations, 1);
  }
}

// With a tolerance ρ is moved to where a sample needs it, in both directions: a bad one to begin
// with costs some iterations, not thousands.
TEST(SolverEdges, ABadRhoIsMended) {
  const Scene scene = make_scene(
      {.features = 30, .rank = 6, .samples = 40, .noise = 0.05, .outlier_share = 0.1, .seed = 4});
  for (const double relaxation : {1.0, 1.6}) {
    for (const double rho : {0.001, 0.1, 10.0}) {
      const Fast fast{.iterations = 20000, .tolerance = 1e-8, .rho = rho, .relaxation = relaxation};
      const auto found = solve_codes<double>(scene.W, scene.V, 0.1, plain_settings(6, fast));
      EXPECT_TRUE(found.converged);
      EXPECT_LT(found.iterations, 500) << "rho " << rho << ", relaxation " << relaxation;
    }
  }
}

// Samples that are exact combinations of a few atoms: the codes of the others, and the gradient
// there, are rounding errors, which are no reason to exchange atoms. The last atom is apart from
// all samples, so that the smallest of all products is 0.
TEST(SolverEdges, RoundingErrorsExchangeNoAtoms) {
  judge::RandomData random(12);
  Matrix<double> W = Matrix<double>::Zero(13, 8);
  W.topLeftCorner(12, 7) = random.uniform_matrix(12, 7);
  W(12, 7) = 1;
  Matrix<double> H = Matrix<double>::Zero(8, 60);
  for (Index j = 0; j < H.cols(); ++j)
    for (Index k = j % 3; k < 7; k += 3) H(k, j) = random.uniform(0.5, 1);
  const auto found = solve_codes<double>(W, W * H, infinity, plain_settings(8, Onmf{}));
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.iterations, 1);
  EXPECT_LT((found.H - H).cwiseAbs().maxCoeff(), 1e-12);
}

// Pairs of atoms that differ by about the root of the rounding errors: WᵀW can be factored, and
// still some of its parts, whose rounding errors are others, cannot without a ridge.
TEST(SolverEdges, NearlyEqualAtomsAreNoTroubleForLeastSquares) {
  judge::RandomData random(13);
  for (int instance = 0; instance < 200; ++instance) {
    Matrix<double> W = random.uniform_matrix(7, 6);
    for (const Index k : {1, 3, 5}) W.col(k) = W.col(k - 1) + random.normal_vector(7, 1e-8);
    const Matrix<double> V = random.uniform_matrix(7, 10);
    const auto found = solve_codes<double>(W, V, infinity, plain_settings(6, Onmf{}));
    ASSERT_TRUE(found.H.allFinite());
    for (Index j = 0; j < V.cols(); ++j) {
      const judge::EncodeProblem problem{.W = W, .v = V.col(j), .lambda = infinity};
      const auto violation =
          judge::verify_encode(problem, found.H.col(j), Vector<double>::Zero(V.rows())).h;
      ASSERT_LT(violation.worst(), 1e-5) << "instance " << instance << ", sample " << j;
    }
  }
}

class SavedBuffer : public ::testing::Test {
 protected:
  static constexpr Index F = 3, K = 2, buffer = 4;
  const StochasticUpdate<double>::Rule rule{buffer, 5, 0.01};
  const Matrix<double> V = Matrix<double>::Ones(F, 1);
  Batch<double> batch;

  SavedBuffer() {
    batch.set_samples(V);
    batch.resize_results(K);
    batch.weight.setOnes(1);
    batch.H.setOnes();
    batch.Y = V;
  }

  // Whether a buffer of which one value was replaced is taken
  template <class Value>
  bool takes(std::string_view replaced, const Value& value) {
    StochasticUpdate<double> update;
    update.remember(batch, rule);
    StochasticUpdate<double>::state(update, [&](std::string_view name, auto& part) {
      if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Value>)
        if (name == replaced) part = value;
    });
    try {
      update.remember(batch, rule);
    } catch (const DataError&) {
      return false;
    }
    return true;
  }
};

TEST_F(SavedBuffer, IsTakenIfItFits) {
  for (const Index filled : {Index(0), Index(1), buffer})
    EXPECT_TRUE(takes("buffer_filled", filled));
  for (const Index next : {Index(0), Index(1), buffer - 1}) EXPECT_TRUE(takes("buffer_next", next));
}

TEST_F(SavedBuffer, IsRefusedOtherwise) {
  for (const Index filled : {Index(-1), buffer + 1}) EXPECT_FALSE(takes("buffer_filled", filled));
  for (const Index next : {Index(-1), buffer}) EXPECT_FALSE(takes("buffer_next", next));
  const auto zeros = [](Index rows, Index cols) {
    return Matrix<double>(Matrix<double>::Zero(rows, cols));
  };
  EXPECT_FALSE(takes("buffer_V", zeros(F + 1, buffer)));
  EXPECT_FALSE(takes("buffer_V", zeros(F, buffer + 1)));
  EXPECT_FALSE(takes("buffer_H", zeros(buffer + 1, K)));
  EXPECT_FALSE(takes("buffer_H", zeros(buffer, K + 1)));
}

// As many vanished atoms as samples of any weight: each gets one of them, with unit norm.
TEST(SolverEdges, EverySampleMayBecomeAnAtom) {
  Matrix<double> V = Matrix<double>::Zero(5, 5);
  V.diagonal() << 0.25, 0.5, 9, 1, 4;
  Batch<double> batch;
  batch.set_samples(V);
  batch.weight = Vector<double>{{1, 1, 0, 0.5, 3}};
  Model<double> model;
  model.settings = plain_settings(6).resolved();
  model.W.setZero(5, 6);
  model.W.col(1).setConstant(0.4);
  model.A = Vector<double>{{0, 1, 0, 0, 0, 0}}.asDiagonal();
  model.B.setOnes(5, 6);
  const std::vector<Index> atoms{0, 2, 3, 4};  // for the last one nothing is left
  EXPECT_EQ(reseed_dead_atoms(batch, Ranks(), {}, model), atoms);
  EXPECT_EQ(model.reseeded, 4);
  Vector<double> used = Vector<double>::Zero(5);
  for (const Index k : atoms) {
    used += model.W.col(k);
    EXPECT_TRUE(model.B.col(k).isZero(0));
  }
  EXPECT_EQ(used, (Vector<double>{{1, 1, 0, 1, 1}}));
  EXPECT_TRUE(model.W.col(5).isZero(0));
  EXPECT_TRUE(model.B.col(1).isOnes(0));
}

TEST(SolverEdges, GroupsThatDoNotFitAreRefused) {
  const Scene scene = make_scene({.features = 20, .rank = 4, .samples = 5});
  Settings settings = plain_settings(4);
  settings.code_penalty = GroupLasso{0.1};
  settings.code_groups = {{0, 1}, {100'000'000}};
  EXPECT_THROW(solve_codes<double>(scene.W, scene.V, 0.1, settings), SettingsError);
  settings = plain_settings(4);
  settings.outlier_penalty = GroupOutliers{};
  settings.outlier_groups = {{0, 1}, {20}};
  EXPECT_THROW(solve_codes<double>(scene.W, scene.V, 0.1, settings), SettingsError);
}

}  // namespace
}  // namespace tamis::test
