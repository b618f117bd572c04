// Long streams: sums do not lose what is added late, counters do not wrap around.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

static_assert(sizeof(Index) == 8);
static_assert(std::is_same_v<decltype(Model<float>::samples), Index>);
static_assert(std::is_same_v<decltype(Model<float>::batches), Index>);
static_assert(std::is_same_v<decltype(Model<float>::epoch), Index>);
static_assert(std::is_same_v<decltype(Model<float>::position), Index>);
static_assert(std::is_same_v<decltype(Info::samples), Index>);
static_assert(std::is_same_v<decltype(Info::batches), Index>);
static_assert(std::is_same_v<decltype(Progress::samples), Index>);
static_assert(std::is_same_v<decltype(Model<float>::A), Matrix<double>>);
static_assert(std::is_same_v<decltype(Model<float>::B), Matrix<double>>);

// A(K×K), B(F×K) and c of all samples, from the codes and outliers that came out, in the widest
// numbers there are; and the same as a float would have added them up.
template <class T>
struct Reference final : Sink<T> {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

  explicit Reference(const Matrix<T>& samples) : V(samples) {}

  void write(const EncodedBlock<T>& block) override {
    const Index n = block.codes.cols();
    const Wide H = block.codes.template cast<long double>();
    Wide Y(V.rows(), n);
    for (Index j = 0; j < n; ++j)
      Y.col(j) = V.col((block.first + j) % V.cols()).template cast<long double>();
    Y -= block.outliers.template cast<long double>();
    if (A.size() == 0) {
      A.setZero(H.rows(), H.rows());
      B.setZero(V.rows(), H.rows());
      narrow_A.setZero(H.rows(), H.rows());
    }
    A += H * H.transpose();
    B += Y * H.transpose();
    count += n;
    const T share = T(n) / T(count);
    narrow_A = (1 - share) * narrow_A + share / T(n) * (block.codes * block.codes.transpose());
  }

  const Matrix<T>& V;
  Wide A, B;
  Matrix<T> narrow_A;
  Index count = 0;
};

double distance(const Matrix<double>& found, const Eigen::Matrix<long double, -1, -1>& sum,
                Index n) {
  const Matrix<double> expected = (sum / static_cast<long double>(n)).template cast<double>();
  return (found - expected).norm() / expected.norm();
}

// The same few samples many times: a source of any length
template <class T>
class Again final : public Source<T> {
 public:
  Again(const Matrix<T>& V, Index samples) : V_(V), samples_(samples) {}
  Index features() const override { return V_.rows(); }
  std::optional<Index> samples() const override { return samples_; }
  void start(const Pass& pass) override { next_ = pass.position; }
  bool read(Index most, SampleBlock<T>& block) override {
    const Index n = std::min(most, samples_ - next_);
    if (n <= 0) return false;
    block.V.resize(V_.rows(), n);
    for (Index j = 0; j < n; ++j) block.V.col(j) = V_.col((next_ + j) % V_.cols());
    next_ += n;
    return true;
  }

 private:
  const Matrix<T>& V_;
  Index samples_;
  Index next_ = 0;
};

TEST(LongRun, StatisticsInFloatAreThoseOfWiderNumbers) {
  const Matrix<float> V =
      make_scene({.features = 6, .rank = 2, .samples = 1000, .seed = 4}).V.cast<float>();
  const Index samples = low_effort() ? 20'000 : 1'000'000;
  Settings settings = plain_settings(2);
  settings.constraint = Simplex{};  // atoms keep their scale, so that codes keep theirs
  settings.batch_size = 64;
  Again<float> source(V, samples);
  Reference<float> reference(V);
  FitOptions<float> options;
  options.sink = &reference;
  const Model<float> model = Trainer<float>(settings).fit(source, options).model;
  ASSERT_EQ(reference.count, samples);
  EXPECT_EQ(model.samples, samples);
  EXPECT_EQ(model.weight, double(samples));
  EXPECT_LT(distance(model.A, reference.A, samples), 2e-8);
  EXPECT_LT(distance(model.B, reference.B, samples), 2e-8);
  if (low_effort()) return;
  // The test can tell: sums in float would be further away.
  EXPECT_GT(distance(reference.narrow_A.cast<double>(), reference.A, samples), 1e-7);
}

// A trainer goes on from a model that has seen so many samples.
template <class T>
Model<T> seen(Index samples) {
  const Matrix<T> V = make_scene({.features = 6, .rank = 2, .samples = 40}).V.template cast<T>();
  Settings settings = plain_settings(2);
  Model<T> model = Trainer<T>(settings).fit(V).model;
  model.samples = samples;
  model.position = samples;
  model.batches = samples / 8;
  model.weight = double(samples);
  return model;
}

TEST(LongRun, CountersGoOnBeyond32And53Bits) {
  const TemporaryFolder folder;
  const Matrix<float> V =
      make_scene({.features = 6, .rank = 2, .samples = 9, .seed = 8}).V.cast<float>();
  for (const int bits : {31, 32, 53, 59}) {
    SCOPED_TRACE(bits);
    const Index before = (Index(1) << bits) - 5;
    Trainer<float> trainer(seen<float>(before));
    EXPECT_EQ(trainer.partial_fit(V), Status::completed);
    EXPECT_EQ(trainer.model().samples, before + 9);
    EXPECT_EQ(trainer.model().position, before + 9);
    EXPECT_EQ(trainer.model().batches, before / 8 + 1);
    EXPECT_NEAR(trainer.model().weight / double(before + 9), 1, 1e-15);
    trainer.save(folder / "state.h5");
    EXPECT_EQ(Trainer<float>::load(folder / "state.h5").model().samples, before + 9);
    EXPECT_EQ(Model<float>::load(folder / "state.h5").batches, before / 8 + 1);
  }
}

// Every forgetting rule, when a mini-batch is next to nothing beside what was seen
TEST(LongRun, ForgettingStaysFiniteForLargeCounters) {
  const Matrix<float> V =
      make_scene({.features = 6, .rank = 2, .samples = 8, .seed = 8}).V.cast<float>();
  for (const Forget& forget :
       {Forget(ForgetNothing{}), Forget(ForgetPolynomial{}), Forget(ForgetDecay{})}) {
    Model<float> model = seen<float>((Index(1) << 61) + 1);
    model.settings.forget = forget;
    Trainer<float> trainer(model);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(trainer.partial_fit(V), Status::completed);
    EXPECT_TRUE(trainer.model().A.allFinite());
    EXPECT_TRUE(trainer.model().W.allFinite());
    EXPECT_GT(trainer.model().weight, 0);
    EXPECT_TRUE(std::isfinite(trainer.model().surrogate()));
  }
}

}  // namespace
}  // namespace tamis::test
