// What a fit learns: from every start, with atoms to spare, from streams that change, in both
// precisions.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "support/kit.hpp"
#include "support/scene.hpp"
#include "tamis/error.hpp"
#include "tamis/io/matrix_source.hpp"
#include "tamis/io/prefetch.hpp"
#include "training.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

SceneRecipe recipe() {
  return {.features = 24,
          .rank = 4,
          .samples = 1920,
          .noise = 0.02,
          .outlier_share = 0.05,
          .outlier_size = 2,
          .seed = 31};
}

// Relative error of the reconstruction of clean data from contaminated samples
double recovery_error(const Model<double>& model, const Scene& scene) {
  const auto encoding = model.encode(scene.V);
  return (model.reconstruct(encoding.H) - scene.clean).norm() / scene.clean.norm();
}

std::vector<Init> all_inits() {
  return {UniformInit{}, HalfNormalInit{}, SamplesInit{}, NndsvdInit{}};
}

TEST(Init, MakesUsableAtoms) {
  const auto V = make_scene(recipe()).V.leftCols(40).eval();
  for (const Init& init : all_inits()) {
    SCOPED_TRACE(name_of(init));
    const auto W =
        std::visit([&](const auto& i) { return i.template make<double>(V, 6, 3); }, init);
    ASSERT_EQ(W.rows(), 24);
    ASSERT_EQ(W.cols(), 6);
    EXPECT_TRUE(W.allFinite());
    EXPECT_GE(W.minCoeff(), 0);
    EXPECT_GT(W.colwise().norm().minCoeff(), 0.1);
  }
}

TEST(Init, SamplesAreDifferentSamplesOfTheBatch) {
  const auto V = make_scene(recipe()).V.leftCols(7).eval();
  const auto W = SamplesInit{}.make<double>(V, 7, 5);
  for (Index n = 0; n < 7; ++n) {
    const Vector<double> unit = V.col(n).normalized();
    EXPECT_LT((W.colwise() - unit).colwise().norm().minCoeff(), 1e-12) << "sample " << n;
  }
}

// A projection would leave a few entries of each.
TEST(Init, AtomsKeepTheirShapeInEverySet) {
  const auto V = make_scene(recipe()).V.leftCols(8).eval();
  const Matrix<double> drawn = UniformInit{}.make<double>(V, 6, 3).colwise().normalized();
  for (const Constraint& set :
       std::vector<Constraint>{Ball{}, Simplex{}, ElasticNetBall{0.3, 0.7}, ElasticNetBall{2, 0},
                               ElasticNetBall{0, 2}}) {
    SCOPED_TRACE(name_of(set));
    Settings settings = plain_settings(6);
    settings.constraint = set;
    settings.seed = 3;
    Training<double> training(settings);
    training.take(V, {});
    const Matrix<double>& W = training.model.W;
    EXPECT_LT((W.colwise().normalized() - drawn).norm(), 1e-12);
    EXPECT_TRUE(is_feasible(settings, W, 1e-12));
    const Matrix<double> larger = 1.001 * W;
    EXPECT_FALSE(is_feasible(settings, larger, 1e-12));
  }
}

TEST(Init, EveryStartLearns) {
  const Scene scene = make_scene(recipe());
  for (const Init& init : all_inits()) {
    SCOPED_TRACE(name_of(init));
    Settings settings;
    settings.rank = 4;
    settings.init = init;
    settings.batch_size = 32;
    settings.seed = 3;
    settings.epochs = 2;
    const auto result = Trainer<double>(settings).fit(scene.V);
    EXPECT_TRUE(is_feasible(result.model.settings, result.model.W, 1e-9));
    // The noise is 6 % of the data, the outliers 50 %.
    EXPECT_LT(recovery_error(result.model, scene), 0.1);
  }
}

TEST(Constraints, EveryResultIsFeasible) {
  const auto V = make_scene(recipe()).V.leftCols(100).eval();
  const std::vector<Constraint> sets = {Ball{}, NonNegative{}, Simplex{}, ElasticNetBall{0.3, 0.7},
                                        Unconstrained{}};
  for (const Constraint& set : sets) {
    for (const Algorithm& algorithm : all_algorithms()) {
      SCOPED_TRACE(std::string(name_of(set)) + " " + std::string(name_of(algorithm)));
      const std::string_view only = scope_of(algorithm).constraint;
      if (!only.empty() && only != name_of(set)) continue;
      Settings settings = plain_settings(4, algorithm);
      settings.constraint = set;
      const auto model = Trainer<double>(settings).fit(V).model;
      EXPECT_TRUE(model.W.allFinite());
      EXPECT_TRUE(is_feasible(settings, model.W, 1e-9));
    }
  }
}

// An atom that starts orthogonal to all data is never used.
struct DeadAtom {
  Matrix<double> V;
  Settings settings;

  explicit DeadAtom(bool reseed) {
    V = make_scene(recipe()).V.leftCols(320);
    V.bottomRows(12).setZero();
    V.col(0).setZero();
    V(23, 0) = 1;  // init `samples` makes it an atom; nothing else needs it
    settings = plain_settings(5);
    settings.batch_size = 5;
    settings.init = SamplesInit{};
    settings.reseed = reseed;
    settings.forget = ForgetDecay{0.5};
  }
};

TEST(Reseed, ReplacesAtomsThatNoSampleUses) {
  const DeadAtom dead(true);
  const auto result = Trainer<double>(dead.settings).fit(dead.V);
  EXPECT_GE(result.info.reseeded, 1);
  EXPECT_EQ(result.model.reseeded, result.info.reseeded);
  EXPECT_LT(result.model.W.bottomRows(12).norm(), 1e-6) << "the useless atom is still there";
  EXPECT_TRUE(is_feasible(result.model.settings, result.model.W, 1e-9));
  EXPECT_GT(result.model.A.diagonal().minCoeff(), 1e-9 * result.model.A.diagonal().maxCoeff());
}

TEST(Reseed, DoesNothingWhenSwitchedOff) {
  const DeadAtom dead(false);
  const auto result = Trainer<double>(dead.settings).fit(dead.V);
  EXPECT_EQ(result.info.reseeded, 0);
  EXPECT_NEAR(result.model.W.row(23).maxCoeff(), 1, 1e-6);
}

TEST(Reseed, AllBlackSamplesAreHarmless) {
  Settings settings = plain_settings(4);
  settings.reseed = true;
  settings.max_outlier = infinity;
  const auto result = Trainer<double>(settings).fit(Matrix<double>::Zero(10, 40));
  EXPECT_TRUE(result.model.W.allFinite());
  EXPECT_TRUE(is_feasible(settings, result.model.W, 1e-12));
  EXPECT_EQ(result.info.objective, 0);
}

// A stream that changes to another dictionary half way.
TEST(Forget, DecayFollowsAStreamThatChanges) {
  SceneRecipe other = recipe();
  other.seed = 77;
  const Scene before = make_scene(recipe());
  const Scene after = make_scene(other);
  Matrix<double> V(before.V.rows(), before.V.cols() + after.V.cols());
  V << before.V, after.V;
  Settings settings = plain_settings(4);
  settings.batch_size = 16;
  settings.max_outlier = infinity;
  const auto keeps = Trainer<double>(settings).fit(V).model;
  settings.forget = ForgetDecay{0.99};
  const auto forgets = Trainer<double>(settings).fit(V).model;
  EXPECT_LT(recovery_error(forgets, after), 0.15);
  EXPECT_LT(recovery_error(forgets, after), 0.7 * recovery_error(keeps, after));
  // w = γⁿw + n: about 1/(1−γ) samples
  EXPECT_NEAR(forgets.weight, 16 / (1 - std::pow(0.99, 16)), 1);
}

TEST(Precision, FloatAgreesWithDouble) {
  const Scene scene = make_scene(recipe());
  const Matrix<double> V = scene.V.leftCols(160);
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = plain_settings(4, algorithm);
    const auto exact = Trainer<double>(settings).fit(V);
    const auto rounded = Trainer<float>(settings).fit(V.cast<float>());
    EXPECT_NEAR(rounded.info.objective, exact.info.objective, 1e-3 * exact.info.objective);
    EXPECT_LT((rounded.model.W.cast<double>() - exact.model.W).norm(), 2e-2);
  }
}

// Statistics are kept in double: a long stream does not lose its last digits in float mode.
TEST(Precision, LongFloatStreamsKeepTheirObjective) {
  const Scene scene = make_scene(recipe());
  Settings settings = plain_settings(4);
  settings.epochs = 20;
  const auto exact = Trainer<double>(settings).fit(scene.V);
  const auto rounded = Trainer<float>(settings).fit(scene.V.cast<float>());
  EXPECT_NEAR(rounded.info.objective, exact.info.objective, 1e-3 * exact.info.objective);
}

// Bytes as they are, and nothing else.
class ByteSource final : public Source<float> {
 public:
  explicit ByteSource(Matrix<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  Index features() const override { return bytes_.rows(); }
  std::optional<Index> samples() const override { return bytes_.cols(); }
  void start(const Pass& pass) override { taken_ = pass.position; }
  bool read(Index most, SampleBlock<float>& block) override {
    const Index n = std::min(most, bytes_.cols() - taken_);
    if (n <= 0) return false;
    block.bytes = bytes_.middleCols(taken_, n);
    block.unit = 255;
    block.keep_only(true);
    if (!block.accepts_bytes) block.to_numbers();
    taken_ += n;
    return true;
  }

 private:
  Matrix<std::uint8_t> bytes_;
  Index taken_ = 0;
};

// A second fit of the same trainer sees its own samples, not what another kind of source has left.
TEST(SecondFit, LearnsFromItsOwnSamples) {
  const Matrix<float> V = make_scene(recipe()).V.leftCols(64).cast<float>();
  Settings settings = plain_settings(4);
  settings.normalize = NormalizeMax{};
  MatrixSource<float> numbers(V * 0.25F);
  PrefetchSource<float> ahead(numbers);
  ByteSource bytes((V.cwiseMin(1) * 255).cast<std::uint8_t>());
  const auto expect_own = [&](Source<float>& first, const Settings& with) {
    Trainer<float> trainer(with);
    trainer.fit(first);
    Trainer<float> fresh(trainer.model());
    trainer.fit(V);
    fresh.fit(V);
    EXPECT_TRUE(same_bits(trainer.model().W, fresh.model().W));
    Matrix<float> bad = V;
    bad(3, 5) = -1;
    EXPECT_THROW(trainer.fit(bad), DataError);
  };
  expect_own(ahead, settings);
  expect_own(bytes, plain_settings(4));
}

}  // namespace
}  // namespace tamis::test
