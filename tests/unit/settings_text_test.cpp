// Fields to and from text.
#include <gtest/gtest.h>

#include <limits>

#include "settings/text.hpp"
#include "tamis/error.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class T>
T parse(std::string_view text) {
  T value{};
  text::read("field", text, value);
  return value;
}

template <class T>
void expect_round_trip(const T& value) {
  EXPECT_EQ(parse<T>(text::write(value)), value) << text::write(value);
}

// The message of the error that set() throws.
std::string refusal(std::string_view field, std::string_view value) {
  Settings settings;
  try {
    settings.set(field, value);
  } catch (const SettingsError& error) {
    EXPECT_EQ(settings, Settings{}) << "a refused value changes nothing";
    return error.what();
  }
  return "accepted";
}

// Replaces every parameter by a number that no default has.
template <class Option>
Option unusual(Option option) {
  Option::fields(option, [](std::string_view, auto& value, auto&&...) {
    using Value = std::remove_cvref_t<decltype(value)>;
    value = std::is_same_v<Value, Index> ? Value(12345) : Value(0.1 + 0.2);
  });
  return option;
}

template <Choice C>
void expect_round_trip_of_every_option() {
  for_each_option<C>([](const auto& option) {
    expect_round_trip(C(option));
    expect_round_trip(C(unusual(option)));
    expect_round_trip(std::optional<C>(unusual(option)));
    EXPECT_EQ(parse<C>(option.name), C(option)) << "the name alone takes the defaults";
  });
}

TEST(TextRoundTrip, EveryOptionOfEveryChoice) {
  expect_round_trip_of_every_option<Algorithm>();
  expect_round_trip_of_every_option<Constraint>();
  expect_round_trip_of_every_option<CodePenalty>();
  expect_round_trip_of_every_option<OutlierPenalty>();
  expect_round_trip_of_every_option<Init>();
  expect_round_trip_of_every_option<Lambda>();
  expect_round_trip_of_every_option<Forget>();
  expect_round_trip_of_every_option<Normalize>();
}

TEST(TextRoundTrip, Numbers) {
  using Limits = std::numeric_limits<double>;
  for (const double x : {0.0, 0.1, -2.5, 1e300, 1.0 / 3, Limits::max(), Limits::min(),
                         Limits::denorm_min(), Limits::infinity()}) {
    expect_round_trip(x);
  }
  expect_round_trip(std::numeric_limits<Index>::max());
  expect_round_trip(std::numeric_limits<Index>::min());
  expect_round_trip(std::numeric_limits<std::uint64_t>::max());
  expect_round_trip(true);
  expect_round_trip(false);
}

TEST(TextRoundTrip, GroupsStructsAndUnsetFields) {
  expect_round_trip(Groups{});
  expect_round_trip(Groups{{0}});
  expect_round_trip(Groups{{0, 1}, {2, 3}, {4}});
  expect_round_trip(DictionaryPenalty{.l1 = 0.1, .l2 = 1e-9});
  expect_round_trip(std::optional<double>());
  expect_round_trip(std::optional<Forget>());
  expect_round_trip(std::optional<bool>(false));
}

TEST(TextForm, IsShort) {
  EXPECT_EQ(text::write(0.1), "0.1");
  EXPECT_EQ(text::write(Constraint(Ball{})), "ball");
  EXPECT_EQ(text::write(Constraint(ElasticNetBall{0.1, 0.5})), "elastic-net:0.1,0.5");
  EXPECT_EQ(text::write(Lambda(LambdaValue{0.1})), "0.1");
  EXPECT_EQ(text::write(Lambda(LambdaValue{std::numeric_limits<double>::infinity()})), "inf");
  EXPECT_EQ(text::write(Groups{{0, 1}, {2, 3}}), "0,1;2,3");
  EXPECT_EQ(text::write(std::optional<Lambda>()), "default");
}

TEST(TextForm, NamesManyParameters) {
  EXPECT_PRED2(contains, text::write(Algorithm(Oadmm{})),
               "oadmm:rho1=1,rho2=1,rho3=1,tolerance=0.001,");
}

TEST(TextRead, PositionalAndNamedParametersMix) {
  const ElasticNetBall expected{0.1, 0.5};
  for (const char* spec : {"elastic-net:0.1,0.5", "elastic-net:0.1,g2=0.5",
                           "elastic-net:g2=0.5,g1=0.1", " elastic-net : 0.1 , g2 = 0.5 "}) {
    EXPECT_EQ(parse<Constraint>(spec), Constraint(expected)) << spec;
  }
  EXPECT_EQ(parse<Constraint>("elastic-net:g2=0.5"), Constraint(ElasticNetBall{1, 0.5}));
  EXPECT_EQ(parse<DictionaryPenalty>("l2=0.5"), (DictionaryPenalty{0, 0.5}));
}

TEST(TextRead, LambdaIsABareNumberOrAName) {
  EXPECT_EQ(parse<Lambda>("0.1"), Lambda(LambdaValue{0.1}));
  EXPECT_EQ(parse<Lambda>("auto:2"), Lambda(LambdaAuto{2}));
  EXPECT_EQ(parse<Lambda>("paper"), Lambda(LambdaPaper{}));
}

TEST(TextRead, BoolsHaveManySpellings) {
  for (const char* yes : {"true", "1", "yes", "on", "True"}) EXPECT_TRUE(parse<bool>(yes)) << yes;
  for (const char* no : {"false", "0", "no", "off", "OFF"}) EXPECT_FALSE(parse<bool>(no)) << no;
}

TEST(TextRead, ReachesEveryKindOfField) {
  Settings settings;
  settings.set("rank", "49");
  settings.set("algorithm", "opgd:kappa_h=0.5");
  settings.set("max_outlier", "inf");
  settings.set("shuffle", "yes");
  settings.set("code_groups", "0,1;2");
  settings.set("dictionary_penalty", "0.1,0.2");
  settings.set("seed", "18446744073709551615");
  EXPECT_EQ(settings.rank, 49);
  EXPECT_EQ(settings.algorithm, Algorithm(Opgd{.kappa_h = 0.5}));
  EXPECT_EQ(settings.max_outlier, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(settings.shuffle);
  EXPECT_EQ(settings.code_groups, (Groups{{0, 1}, {2}}));
  EXPECT_EQ(settings.dictionary_penalty, (DictionaryPenalty{0.1, 0.2}));
  EXPECT_EQ(settings.seed, std::numeric_limits<std::uint64_t>::max());
  settings.set("max_outlier", "default");
  EXPECT_EQ(settings.max_outlier, std::nullopt);
}

TEST(TextRefused, UnknownNamesWithASuggestion) {
  EXPECT_EQ(refusal("constraint", "bal"),
            "constraint: \"bal\" is not known; did you mean \"ball\"? (ball, nonneg, simplex, "
            "elastic-net, none)");
  EXPECT_EQ(refusal("lambda", "atuo"),
            "lambda: \"atuo\" is not known; did you mean \"auto\"? (auto, paper, a number)");
  EXPECT_EQ(refusal("normalize", "something"), "normalize: \"something\" is not known (none, max)");
  EXPECT_EQ(refusal("init", ""), "init: \"\" is not known (uniform, half-normal, samples, nndsvd)");
}

TEST(TextRefused, UnknownFieldsWithASuggestion) {
  EXPECT_PRED2(contains, refusal("rnk", "3"),
               "setting \"rnk\" is not known; did you mean \"rank\"? (rank, algorithm,");
  EXPECT_PRED2(contains, refusal("max-outlier", "3"), "did you mean \"max_outlier\"?");
}

TEST(TextRefused, EmptyParameters) {
  EXPECT_EQ(refusal("constraint", "elastic-net:0.1,"),
            "constraint: \"elastic-net:0.1,\" has an empty parameter");
  for (const char* spec : {"elastic-net:", "elastic-net:,1", "elastic-net:g1=", "ball:"}) {
    EXPECT_PRED2(contains, refusal("constraint", spec), "has an empty parameter") << spec;
  }
  EXPECT_EQ(refusal("dictionary_penalty", ""), "dictionary_penalty: \"\" has an empty parameter");
}

TEST(TextRefused, TooManyParameters) {
  EXPECT_EQ(refusal("constraint", "elastic-net:1,2,3"),
            "constraint: \"elastic-net:1,2,3\" has 3 parameters, but elastic-net takes at most 2 "
            "(g1, g2)");
  EXPECT_EQ(refusal("constraint", "ball:1"),
            "constraint: \"ball:1\" has a parameter, but ball takes none");
  EXPECT_EQ(refusal("dictionary_penalty", "1,2,3"),
            "dictionary_penalty: \"1,2,3\" has 3 parameters, but dictionary_penalty takes at most "
            "2 (l1, l2)");
}

TEST(TextRefused, ParametersThatAreUnknownRepeatedOrOutOfOrder) {
  EXPECT_EQ(refusal("algorithm", "opgd:kapa_h=1"),
            "algorithm: in \"opgd:kapa_h=1\" the parameter \"kapa_h\" is not known; did you mean "
            "\"kappa_h\"? "
            "(kappa_h, kappa_w, tolerance, iterations, update_tolerance, update_iterations)");
  EXPECT_EQ(refusal("constraint", "elastic-net:1,g1=2"),
            "constraint: \"elastic-net:1,g1=2\" gives g1 twice");
  EXPECT_EQ(refusal("constraint", "elastic-net:g1=1,2"),
            "constraint: \"elastic-net:g1=1,2\" has \"2\" without a name after a named parameter");
}

TEST(TextRefused, ParametersThatAreNoNumbers) {
  EXPECT_EQ(refusal("constraint", "elastic-net:x"),
            "constraint elastic-net g1: \"x\" is not a number");
  EXPECT_EQ(refusal("algorithm", "fast:2.5"),
            "algorithm fast iterations: \"2.5\" is not a whole number");
}

TEST(TextRefused, TextThatIsNoNumber) {
  EXPECT_EQ(refusal("rank", "ten"), "rank: \"ten\" is not a whole number");
  for (const char* text : {"", "10x", "1.5", "1e3", "0x10", "1 2"}) {
    EXPECT_PRED2(contains, refusal("rank", text), "is not a whole number") << text;
  }
  for (const char* text : {"", "nan", "NaN", "1.5.2", "1,5", "0.1 x", "infinite", "--1"}) {
    EXPECT_PRED2(contains, refusal("max_outlier", text), "is not a number") << text;
  }
  EXPECT_EQ(refusal("lambda", "0.1x"), "lambda: \"0.1x\" is not a number");
  EXPECT_EQ(refusal("lambda", "nan"), "lambda: \"nan\" is not a number");
  EXPECT_EQ(refusal("seed", "-1"), "seed: \"-1\" is not a whole number of at least 0");
}

TEST(TextRefused, NumbersThatDoNotFit) {
  EXPECT_EQ(refusal("rank", "9223372036854775808"),
            "rank: \"9223372036854775808\" is too large or too small; the largest number is "
            "9223372036854775807");
  EXPECT_PRED2(contains, refusal("seed", "18446744073709551616"), "is too large");
  EXPECT_PRED2(contains, refusal("max_outlier", "1e400"), "is too large");
  EXPECT_PRED2(contains, refusal("lambda", "1e400"), "is too large");
}

TEST(TextRefused, TextThatIsNeitherTrueNorFalse) {
  EXPECT_EQ(refusal("shuffle", "maybe"),
            "shuffle: \"maybe\" is neither true nor false (true, false, 1, 0, yes, no, on, off)");
}

TEST(TextRefused, GroupsWithHoles) {
  EXPECT_PRED2(contains, refusal("code_groups", "0,1;"), "has an empty group");
  EXPECT_PRED2(contains, refusal("code_groups", "0,,1"), "has an empty index");
  EXPECT_EQ(refusal("code_groups", "0,b"), "code_groups: \"b\" is not a whole number");
}

TEST(TextRefused, LongTextIsShortenedInTheMessage) {
  EXPECT_LT(refusal("init", std::string(100'000, 'x')).size(), 300u);
}

TEST(TextOfRanges, EveryKind) {
  EXPECT_EQ(text::in_words(any_value()), "any finite number");
  EXPECT_EQ(text::in_words(at_least(1)), "at least 1");
  EXPECT_EQ(text::in_words(above(0)), "above 0");
  EXPECT_EQ(text::in_words(between(1, 1.9)), "between 1 and 1.9");
  EXPECT_EQ(text::in_words(above_up_to(0, 1)), "above 0 and at most 1");
  EXPECT_EQ(text::in_words(or_infinite(above(0))), "above 0, or inf");
}

}  // namespace
}  // namespace tamis
