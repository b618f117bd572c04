// Bad data are a DataError that names the place, and a call that fails leaves everything as it was.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index features = 8;

Matrix<double> data(Index samples = 24) {
  return make_scene({.features = features, .rank = 3, .samples = samples, .seed = 62}).V;
}

Matrix<double> with_entry(double value) {
  Matrix<double> V = data();
  V(5, 17) = value;
  return V;
}

struct DataCase {
  std::string name;
  Matrix<double> V;
  Vector<double> weights;
  std::vector<std::string> words;
};

void PrintTo(const DataCase& bad, std::ostream* out) { *out << bad.name; }

// Of a second mini-batch, so that its sample 9 is number 33 of the stream.
Vector<double> weights_with(double value) {
  Vector<double> weights = Vector<double>::Ones(24);
  weights[9] = value;
  return weights;
}

std::vector<DataCase> data_cases() {
  return {
      {"MoreFeatures", Matrix<double>::Ones(features + 1, 4), {}, {"9", "8"}},
      {"FewerFeatures", Matrix<double>::Ones(features - 1, 4), {}, {"7", "8"}},
      {"NoSamples", Matrix<double>(features, 0), {}, {"no samples"}},
      {"Infinite", with_entry(infinity), {}, {"feature 5", "sample", "inf"}},
      {"MinusInfinite", with_entry(-infinity), {}, {"feature 5", "sample", "-inf"}},
      {"NotANumber", with_entry(nan), {}, {"feature 5", "sample", "nan", "missing"}},
      {"Negative", with_entry(-0.25), {}, {"feature 5", "sample", "-0.25", "allow_negative"}},
  };
}

std::vector<DataCase> weight_cases() {
  return {
      {"TooFewWeights", data(), Vector<double>::Ones(23), {"23", "24"}},
      {"TooManyWeights", data(), Vector<double>::Ones(25), {"25", "24"}},
      {"NegativeWeight", data(), weights_with(-1), {"weight", "sample 33", "-1"}},
      {"NanWeight", data(), weights_with(nan), {"weight", "sample 33", "nan"}},
      {"InfiniteWeight", data(), weights_with(infinity), {"weight", "sample 33", "inf"}},
  };
}

// Fails with a DataError whose message has all the words.
void expect_data_error(const std::function<void()>& action, const std::vector<std::string>& words) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const DataError& problem) {
    const std::string message = problem.what();
    for (const std::string& word : words) {
      EXPECT_NE(message.find(word), std::string::npos) << '"' << word << "\" not in: " << message;
    }
  }
}

void expect_nothing_changed_by(const DataCase& bad) {
  for (const Algorithm& algorithm : online_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Trainer<double> trainer(plain_settings(3, algorithm));
    Trainer<double> untouched(plain_settings(3, algorithm));
    for (auto* one : {&trainer, &untouched}) one->partial_fit(data());
    const std::string before = bytes_of(trainer.model());
    expect_data_error([&] { trainer.partial_fit(bad.V, bad.weights); }, bad.words);
    EXPECT_TRUE(bytes_of(trainer.model()) == before);
    // Nothing hidden has changed either: both go on alike.
    for (auto* one : {&trainer, &untouched}) one->partial_fit(data(40).rightCols(16).eval());
    EXPECT_TRUE(bytes_of(trainer.model()) == bytes_of(untouched.model()));
  }
}

class BadData : public ::testing::TestWithParam<DataCase> {};
class BadWeights : public ::testing::TestWithParam<DataCase> {};

TEST_P(BadData, ChangesNothingInPartialFit) { expect_nothing_changed_by(GetParam()); }
TEST_P(BadWeights, ChangeNothingInPartialFit) { expect_nothing_changed_by(GetParam()); }

TEST_P(BadData, IsRefusedByEncode) {
  const DataCase& bad = GetParam();
  const auto model = Trainer<double>(plain_settings(3)).fit(data()).model;
  expect_data_error([&] { model.encode(bad.V); }, bad.words);
}

INSTANTIATE_TEST_SUITE_P(Cases, BadWeights, ::testing::ValuesIn(weight_cases()),
                         [](const auto& test) { return test.param.name; });
INSTANTIATE_TEST_SUITE_P(Cases, BadData, ::testing::ValuesIn(data_cases()),
                         [](const auto& test) { return test.param.name; });

TEST(BadFirstBatch, LeavesAFreshTrainerFresh) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    Trainer<double> trainer(plain_settings(3, algorithm));
    const std::string before = bytes_of(trainer.model());
    expect_data_error([&] { trainer.fit(with_entry(infinity)); }, {"inf"});
    expect_data_error([&] { trainer.fit(Matrix<double>(features, 0)); }, {"no samples"});
    EXPECT_TRUE(bytes_of(trainer.model()) == before);
    // It takes data of any other size afterwards.
    EXPECT_NO_THROW(trainer.fit(Matrix<double>::Ones(3, 9)));
  }
}

// Samples are counted from the beginning of the stream, so that they can be found there.
TEST(BadSample, IsFoundInTheStream) {
  Matrix<double> V = data(40);
  V(2, 33) = infinity;
  expect_data_error([&] { Trainer<double>(plain_settings(3)).fit(V); }, {"feature 2", "sample 33"});
}

TEST(AllowNegative, AcceptsNegativeData) {
  Settings settings = plain_settings(3);
  settings.allow_negative = true;
  Trainer<double> trainer(settings);
  trainer.partial_fit(with_entry(-0.25));
  EXPECT_TRUE(trainer.model().W.allFinite());
  EXPECT_TRUE(trainer.model().encode(with_entry(-0.25)).H.allFinite());
}

// Good blocks first; the block that holds sample `trouble` brings it.
class TroubledSource final : public Source<double> {
 public:
  TroubledSource(Index trouble, std::function<void(SampleBlock<double>&)> bring)
      : trouble_(trouble), bring_(std::move(bring)) {}

  Index features() const override { return V_.rows(); }
  std::optional<Index> samples() const override { return V_.cols(); }
  void start(const Pass& pass) override { next_ = pass.position; }
  // Never more than 8 at a time, as sources may: also batch algorithms get good blocks first.
  bool read(Index most, SampleBlock<double>& block) override {
    const Index n = std::min({most, Index(8), V_.cols() - next_});
    if (n <= 0) return false;
    block.V = V_.middleCols(next_, n);
    block.weights.resize(0);
    next_ += n;
    if (next_ > trouble_ && next_ - n <= trouble_) bring_(block);
    return true;
  }

 private:
  const Matrix<double> V_ = data(40);
  Index trouble_;
  std::function<void(SampleBlock<double>&)> bring_;
  Index next_ = 0;
};

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect_untouched_by(Source<double>& source, const Algorithm& algorithm, bool trained) {
  SCOPED_TRACE(name_of(algorithm));
  Trainer<double> trainer(plain_settings(3, algorithm));
  if (trained) trainer.fit(data(16));
  const std::string before = bytes_of(trainer.model());
  EXPECT_ANY_THROW(trainer.fit(source));
  EXPECT_TRUE(bytes_of(trainer.model()) == before);
  Trainer<double> untouched(plain_settings(3, algorithm));
  if (trained) untouched.fit(data(16));
  trainer.fit(data());
  untouched.fit(data());
  EXPECT_TRUE(bytes_of(trainer.model()) == bytes_of(untouched.model()));
}

TEST(FailingSource, LeavesTheModelAsItWas) {
  TroubledSource throws(20, [](auto&) { throw Broken("the disk is gone"); });
  TroubledSource infinite(20, [](auto& block) { block.V(1, 0) = infinity; });
  TroubledSource reshaped(20, [](auto& block) { block.V.conservativeResize(features - 1, 3); });
  TroubledSource weighted(20, [](auto& block) { block.weights = Vector<double>::Ones(1); });
  for (const Algorithm& algorithm : all_algorithms()) {
    for (const bool trained : {false, true}) {
      for (auto* source : {&throws, &infinite, &reshaped, &weighted}) {
        expect_untouched_by(*source, algorithm, trained);
      }
    }
  }
}

TEST(FailingSource, ItsOwnExceptionArrives) {
  TroubledSource source(20, [](auto&) { throw Broken("the disk is gone"); });
  EXPECT_THROW(Trainer<double>(plain_settings(3)).fit(source), Broken);
}

struct FailingSink final : Sink<double> {
  Index written = 0;
  void write(const EncodedBlock<double>&) override {
    if (++written == 3) throw Broken("the disk is full");
  }
};

TEST(FailingSink, LeavesTheModelAsItWas) {
  Trainer<double> trainer(plain_settings(3));
  trainer.fit(data());
  const std::string before = bytes_of(trainer.model());
  FailingSink sink;
  FitOptions<double> options;
  options.sink = &sink;
  EXPECT_THROW(trainer.fit(data(40), options), Broken);
  EXPECT_TRUE(bytes_of(trainer.model()) == before);
}

// Finite numbers whose squares are not: an outcome, not an exception, and what was learned before
// stays.
TEST(Overflow, IsAStatus) {
  Settings settings = plain_settings(3);
  settings.lambda = LambdaValue{infinity};
  Trainer<float> trainer(settings);
  trainer.partial_fit(data().cast<float>());
  const std::string before = bytes_of(trainer.model());
  const auto result = trainer.fit(Matrix<float>::Constant(features, 8, 3e38f));
  EXPECT_EQ(result.status, Status::diverged);
  EXPECT_FALSE(result.message.empty());
  EXPECT_TRUE(trainer.model().W.allFinite());
  EXPECT_EQ(trainer.partial_fit(Matrix<float>::Constant(features, 8, 3e38f)), Status::diverged);
  EXPECT_TRUE(trainer.model().W.allFinite());
  EXPECT_TRUE(trainer.model().A.allFinite());
}

TEST(BadFirstBatch, LeavesTheFormatOfSamples) {
  Trainer<float> trainer(plain_settings(3));
  trainer.set_format({.shape = {2, 4}, .unit = 255});
  EXPECT_EQ(trainer.partial_fit(data().cast<float>() * 1e30F), Status::diverged);
  trainer.partial_fit(data().cast<float>());
  EXPECT_EQ(trainer.model().shape, (std::vector<Index>{2, 4}));
  EXPECT_EQ(trainer.model().unit, 255);
}

TEST(BadFirstBatch, AnAlgorithmThatNeedsEveryEntryDoesNotAdviseOtherwise) {
  const Settings settings = plain_settings(3, Onmf{});
  expect_data_error([&] { Trainer<double>(settings).fit(with_entry(nan)); },
                    {"onmf needs every entry"});
}

}  // namespace
}  // namespace tamis::test
