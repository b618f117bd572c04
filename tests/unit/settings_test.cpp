// The rules between and within settings, and what unset ones become.
#include "tamis/settings.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tamis/error.hpp"

namespace tamis {
namespace {

using Sentences = std::vector<std::string>;
const Sentences nothing;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The one sentence that is expected.
std::string only(const Sentences& sentences) {
  EXPECT_EQ(sentences.size(), 1u);
  return sentences.empty() ? "" : sentences.front();
}

TEST(SettingsViolations, NoneByDefault) {
  EXPECT_EQ(Settings{}.violations(), nothing);
  EXPECT_NO_THROW(Settings{}.validate());
}

TEST(SettingsViolations, NoneForEveryOptionOfEveryChoice) {
  const auto check = [](auto Settings::*field, auto example) {
    for_each_option<decltype(example)>([&](const auto& option) {
      Settings settings;
      settings.*field = decltype(example)(option);
      EXPECT_EQ(settings.violations(), nothing) << option.name;
    });
  };
  check(&Settings::algorithm, Algorithm{});
  check(&Settings::constraint, Constraint{});
  check(&Settings::code_penalty, CodePenalty{});
  check(&Settings::outlier_penalty, OutlierPenalty{});
  check(&Settings::init, Init{});
  check(&Settings::lambda, Lambda{});
  check(&Settings::forget, Forget{});
  check(&Settings::normalize, Normalize{});
}

TEST(SettingsViolations, RankBelowOne) {
  EXPECT_EQ(Settings{.rank = 0}.violations(), (Sentences{"rank = 0, must be at least 1"}));
}

TEST(SettingsViolations, NegativeLambdaIsNamedAsItWasWritten) {
  Settings settings;
  settings.lambda = LambdaValue{-0.5};
  EXPECT_EQ(settings.violations(), (Sentences{"lambda = -0.5, must be at least 0, or inf"}));
}

TEST(SettingsViolations, OutlierBoundMustBePositive) {
  Settings settings;
  settings.max_outlier = 0;
  EXPECT_EQ(settings.violations(), (Sentences{"max_outlier = 0, must be above 0, or inf"}));
  settings.max_outlier = -1;
  EXPECT_EQ(settings.violations().size(), 1u);
}

TEST(SettingsViolations, InfinityIsMeaningfulForLambdaAndOutlierBound) {
  Settings settings;
  settings.max_outlier = infinity;
  settings.lambda = LambdaValue{infinity};
  EXPECT_EQ(settings.violations(), nothing);
}

TEST(SettingsViolations, InfinityIsRefusedElsewhere) {
  Settings settings;
  settings.code_penalty = Lasso{infinity};
  EXPECT_EQ(settings.violations(),
            (Sentences{"code_penalty lasso: lambda = inf, must be at least 0 and finite"}));
}

TEST(SettingsViolations, BatchSizeBelowOne) {
  Settings settings;
  settings.batch_size = 0;
  EXPECT_EQ(settings.violations(), (Sentences{"batch_size = 0, must be at least 1"}));
}

TEST(SettingsViolations, ReachIntoTheChosenOption) {
  Settings settings;
  settings.algorithm = Opgd{.kappa_h = 2};
  EXPECT_EQ(settings.violations(),
            (Sentences{"algorithm opgd: kappa_h = 2, must be above 0 and at most 1"}));
  settings.algorithm = Badmm{.stopping = {.iterations = 0}};
  EXPECT_EQ(settings.violations(),
            (Sentences{"algorithm badmm: iterations = 0, must be at least 1"}));
}

TEST(SettingsViolations, ReachIntoThePlainStruct) {
  Settings settings;
  settings.dictionary_penalty = {.l1 = -1, .l2 = 0};
  EXPECT_EQ(settings.violations(), (Sentences{"dictionary_penalty: l1 = -1, must be at least 0"}));
}

TEST(SettingsViolations, NaNIsRefusedEverywhere) {
  Settings settings;
  settings.max_outlier = nan;
  settings.lambda = LambdaValue{nan};
  settings.forget = ForgetPolynomial{nan};
  settings.constraint = ElasticNetBall{nan, 1};
  settings.algorithm = Fast{.tolerance = nan};
  settings.dictionary_penalty.l2 = nan;
  EXPECT_EQ(settings.violations().size(), 6u);
  for (const std::string& sentence : settings.violations()) {
    EXPECT_PRED2(contains, sentence, "= nan, must be");
  }
}

TEST(SettingsViolations, AllAreReportedAtOnce) {
  Settings settings;
  settings.rank = -3;
  settings.epochs = 0;
  settings.threads = -1;
  settings.lambda = LambdaAuto{0};
  EXPECT_EQ(settings.violations(),
            (Sentences{"rank = -3, must be at least 1", "lambda auto: c = 0, must be above 0",
                       "epochs = 0, must be at least 1", "threads = -1, must be at least 0"}));
}

TEST(SettingsValidate, ThrowsEveryViolationOnItsOwnLine) {
  const Settings settings{.rank = 0, .epochs = 0};
  try {
    settings.validate();
    FAIL() << "nothing was thrown";
  } catch (const SettingsError& error) {
    EXPECT_STREQ(error.what(), "rank = 0, must be at least 1\nepochs = 0, must be at least 1");
  }
}

TEST(SettingsScaleOfW, EscapesWithoutBoundOnAtoms) {
  for (const Constraint& unbounded :
       {Constraint(NonNegative{}), Constraint(Unconstrained{}), Constraint(ElasticNetBall{0, 0})}) {
    Settings settings;
    settings.constraint = unbounded;
    EXPECT_EQ(settings.violations(), nothing) << "harmless without a code penalty";
    settings.code_penalty = Lasso{0.1};
    const std::string sentence = only(settings.violations());
    EXPECT_PRED2(contains, sentence, "the scale of W could grow without bound");
    EXPECT_PRED2(contains, sentence, "code_penalty = lasso:0.1");
    EXPECT_PRED2(contains, sentence, "(ball, simplex, elastic-net) or set a dictionary_penalty");
  }
}

TEST(SettingsScaleOfW, IsHeldByADictionaryPenaltyOrABoundedSet) {
  Settings settings;
  settings.constraint = NonNegative{};
  settings.code_penalty = GroupLasso{};
  settings.dictionary_penalty.l2 = 0.01;
  EXPECT_EQ(settings.violations(), nothing);
  settings.dictionary_penalty.l2 = 0;
  settings.constraint = Simplex{};
  EXPECT_EQ(settings.violations(), nothing);
}

TEST(SettingsScaleOfW, IgnoresACodePenaltyOfWeightZero) {
  Settings settings;
  settings.constraint = NonNegative{};
  settings.code_penalty = Lasso{0};
  EXPECT_EQ(settings.violations(), nothing);
}

Settings with_code_groups(Groups groups) {
  Settings settings;
  settings.rank = 4;
  settings.code_penalty = GroupLasso{};
  settings.code_groups = std::move(groups);
  return settings;
}

TEST(SettingsCodeGroups, APartitionInAnyOrderIsFine) {
  EXPECT_EQ(with_code_groups({{3, 0}, {2}, {1}}).violations(), nothing);
}

TEST(SettingsCodeGroups, MissingIndexIsNamed) {
  EXPECT_EQ(
      with_code_groups({{0, 1}, {3}}).violations(),
      (Sentences{"code_groups: index 2 is missing, every index from 0 to 3 must be in a group"}));
}

TEST(SettingsCodeGroups, RepeatedIndexIsNamedOnce) {
  EXPECT_EQ(with_code_groups({{0, 1, 2}, {2, 3}, {2}}).violations(),
            (Sentences{"code_groups: index 2 is repeated, must be in exactly one group"}));
}

TEST(SettingsCodeGroups, IndicesOutOfRangeAreNamed) {
  EXPECT_EQ(with_code_groups({{-1, 0, 1}, {2, 3, 4}}).violations(),
            (Sentences{"code_groups: indices -1, 4 are out of range, must be between 0 and 3"}));
}

TEST(SettingsCodeGroups, EmptyGroupIsRefused) {
  EXPECT_EQ(with_code_groups({{0, 1, 2, 3}, {}}).violations(),
            (Sentences{"code_groups: group 1 is empty, leave it out"}));
}

TEST(SettingsCodeGroups, ManyMissingIndicesAreCounted) {
  Settings settings = with_code_groups({{0, 10}});
  settings.rank = 1'000'000'000'000;
  EXPECT_PRED2(contains, only(settings.violations()),
               "indices 1, 2, 3, 4, 5 and 999999999993 more are missing");
}

TEST(SettingsCodeGroups, AreNotBlamedForAnImpossibleRank) {
  Settings settings = with_code_groups({{0, 1}, {2}});
  settings.rank = 0;
  EXPECT_EQ(settings.violations(), (Sentences{"rank = 0, must be at least 1"}));
}

TEST(SettingsCodeGroups, NeedAPenaltyThatUsesThem) {
  Settings settings = with_code_groups({{0, 1}, {2, 3}});
  settings.code_penalty = Lasso{};
  EXPECT_EQ(
      settings.violations(),
      (Sentences{
          "code_groups is given, but code_penalty = lasso does not use groups; choose one that "
          "does (group, sparse-group) or leave code_groups out"}));
}

TEST(SettingsOutlierGroups, AreComparedWithTheFeaturesWhenTheirNumberIsKnown) {
  Settings settings;
  settings.outlier_penalty = SparseGroupOutliers{};
  settings.outlier_groups = {{0, 1}, {2, 3}};
  EXPECT_EQ(settings.violations(), nothing);
  EXPECT_EQ(settings.violations(4), nothing);
  EXPECT_PRED2(contains, only(settings.violations(5)), "outlier_groups: index 4 is missing");
  EXPECT_PRED2(contains, only(settings.violations(3)), "outlier_groups: index 3 is out of range");
  EXPECT_THROW(settings.validate(3), SettingsError);
  settings.outlier_groups = {{0, std::numeric_limits<Index>::max()}};
  EXPECT_EQ(settings.violations(1).size(), 1u);
}

TEST(SettingsOutlierGroups, RepeatsAndNegativesAreWrongForEveryNumberOfFeatures) {
  Settings settings;
  settings.outlier_penalty = GroupOutliers{};
  settings.outlier_groups = {{0, -2}, {7, 7, std::numeric_limits<Index>::max()}};
  EXPECT_EQ(settings.violations(),
            (Sentences{"outlier_groups: index -2 is negative, must be at least 0",
                       "outlier_groups: index 7 is repeated, must be in exactly one group"}));
}

TEST(SettingsOutlierGroups, NeedAPenaltyThatUsesThem) {
  Settings settings;
  settings.outlier_groups = {{0}, {1}};
  EXPECT_PRED2(contains, only(settings.violations(2)), "outlier_penalty = l1 does not use groups");
}

TEST(SettingsResolved, FillsEveryFieldForOnlineAlgorithms) {
  const Settings fast = Settings{}.resolved();
  EXPECT_EQ(fast.lambda, Lambda(LambdaAuto{}));
  EXPECT_EQ(fast.max_outlier, infinity);
  EXPECT_EQ(fast.batch_size, 64);
  EXPECT_EQ(fast.forget, Forget(ForgetPolynomial{}));
  EXPECT_EQ(fast.normalize, Normalize(NormalizeNone{}));
  EXPECT_EQ(fast.reseed, true);
}

TEST(SettingsResolved, PublishedAlgorithmsFollowTheStudy) {
  const Settings opgd = Settings{.algorithm = Opgd{}}.resolved(121'450);
  EXPECT_EQ(opgd.lambda, Lambda(LambdaPaper{}));
  EXPECT_EQ(opgd.max_outlier, 1);
  EXPECT_EQ(opgd.batch_size, 6);
  EXPECT_EQ(opgd.forget, Forget(ForgetNothing{}));
  EXPECT_EQ(opgd.normalize, Normalize(NormalizeMax{}));
  EXPECT_EQ(Settings{.algorithm = Oadmm{}}.resolved().batch_size, 5);
}

TEST(SettingsResolved, KeepsWhatIsSet) {
  Settings settings{.algorithm = Oadmm{.rho1 = 3}};
  settings.lambda = LambdaValue{0.2};
  settings.batch_size = 17;
  settings.reseed = true;
  const Settings full = settings.resolved(1000);
  EXPECT_EQ(full.algorithm, settings.algorithm);
  EXPECT_EQ(full.lambda, settings.lambda);
  EXPECT_EQ(full.batch_size, 17);
  EXPECT_EQ(full.reseed, true);
  EXPECT_EQ(full.resolved(5), full) << "resolving twice changes nothing";
}

TEST(SettingsResolved, WholeAlgorithmsTakeAllSamplesAtOnce) {
  EXPECT_EQ(Settings{.algorithm = Bpgd{}}.resolved(600).batch_size, 600);
  EXPECT_EQ(Settings{.algorithm = Badmm{}}.resolved().batch_size, std::nullopt);
  EXPECT_EQ((Settings{.algorithm = Bpgd{}, .batch_size = 5}.resolved(600).batch_size), 600);
}

}  // namespace
}  // namespace tamis
