// Settings to and from JSON, and the documentation made from them.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tamis/error.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool starts_with(const std::string& text, const std::string& part) {
  return text.starts_with(part);
}

Settings unusual_settings() {
  Settings settings;
  settings.rank = 49;
  settings.algorithm = Oadmm{.rho2 = 0.1 + 0.2, .stopping = {.iterations = 7}};
  settings.lambda = LambdaValue{0.1};
  settings.max_outlier = std::numeric_limits<double>::infinity();
  settings.nonneg_outliers = true;
  settings.outlier_penalty = SparseGroupOutliers{0.25};
  settings.outlier_groups = {{0, 1}, {2}};
  settings.code_penalty = SparseGroupLasso{1e-3, 1};
  settings.code_groups = {{0}, {2, 1}};
  settings.constraint = ElasticNetBall{0.1, 0.5};
  settings.dictionary_penalty = {0.1, 0.2};
  settings.init = NndsvdInit{};
  settings.reseed = false;
  settings.forget = ForgetDecay{0.99};
  settings.batch_size = 5;
  settings.epochs = 3;
  settings.shuffle = true;
  settings.normalize = NormalizeMax{};
  settings.missing = true;
  settings.allow_negative = true;
  settings.seed = std::numeric_limits<std::uint64_t>::max();
  settings.threads = 2;
  return settings;
}

std::string refusal(std::string_view json) {
  try {
    Settings::from_json(json);
  } catch (const SettingsError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SettingsJson, RoundTrip) {
  EXPECT_EQ(Settings::from_json(Settings{}.to_json()), Settings{});
  EXPECT_EQ(Settings::from_json(unusual_settings().to_json()), unusual_settings());
  const Settings resolved = Settings{}.resolved(1000);
  EXPECT_EQ(Settings::from_json(resolved.to_json()), resolved);
}

TEST(SettingsJson, EqualityLooksAtEveryField) {
  const auto ours = nlohmann::json::parse(unusual_settings().to_json());
  const auto usual = nlohmann::json::parse(Settings{}.to_json());
  for (const auto& [key, value] : usual.items()) {
    EXPECT_NE(ours[key], value) << key
                                << " should be unusual for the round trip to prove something";
    nlohmann::json one_back = ours;
    one_back[key] = value;
    EXPECT_FALSE(Settings::from_json(one_back.dump()) == unusual_settings()) << key;
  }
}

TEST(SettingsJson, ValuesHaveTheirNaturalTypes) {
  const auto json = nlohmann::json::parse(unusual_settings().to_json());
  EXPECT_EQ(json["rank"], 49);
  EXPECT_EQ(json["lambda"], "0.1");
  EXPECT_EQ(json["max_outlier"], "inf");
  EXPECT_EQ(json["shuffle"], true);
  EXPECT_EQ(json["code_groups"], (Groups{{0}, {2, 1}}));
  EXPECT_EQ(json["constraint"], "elastic-net:0.1,0.5");
  EXPECT_EQ(json["dictionary_penalty"], "0.1,0.2");
  EXPECT_TRUE(nlohmann::json::parse(Settings{}.to_json())["lambda"].is_null());
}

TEST(SettingsJson, KeepsTheOrderOfTheFields) {
  const std::string json = Settings{}.to_json();
  EXPECT_PRED2(starts_with, json, "{\n  \"rank\": 10,\n  \"algorithm\": \"fast:iterations=6,");
  std::size_t last = 0;
  for (const FieldDescription& field : describe_settings()) {
    const std::size_t at = json.find("\n  \"" + field.name + "\": ");
    ASSERT_NE(at, std::string::npos) << field.name;
    EXPECT_TRUE(last == 0 || at > last) << field.name;
    last = at;
  }
}

TEST(SettingsJson, MissingKeysKeepDefaults) {
  EXPECT_EQ(Settings::from_json("{}"), Settings{});
  EXPECT_EQ(Settings::from_json(R"({"rank": 3})"), Settings{.rank = 3});
}

TEST(SettingsJson, LambdaMayBeANumber) {
  EXPECT_EQ(Settings::from_json(R"({"lambda": 0.25})").lambda, Lambda(LambdaValue{0.25}));
}

TEST(SettingsJsonRefused, UnknownKeyWithASuggestion) {
  EXPECT_PRED2(contains, refusal(R"({"rnk": 3})"),
               "setting \"rnk\" is not known; did you mean \"rank\"?");
}

TEST(SettingsJsonRefused, RepeatedKey) {
  EXPECT_EQ(refusal(R"({"rank": 3, "rank": 4})"), "rank: given twice");
}

TEST(SettingsJsonRefused, WrongTypes) {
  EXPECT_EQ(refusal(R"({"rank": "3"})"), "rank: \"3\" is not a whole number");
  EXPECT_EQ(refusal(R"({"rank": 3.5})"), "rank: 3.5 is not a whole number");
  EXPECT_EQ(refusal(R"({"rank": null})"), "rank: null is not a whole number");
  EXPECT_EQ(refusal(R"({"max_outlier": "1"})"), "max_outlier: \"1\" is not a number");
  EXPECT_EQ(refusal(R"({"max_outlier": "nan"})"), "max_outlier: \"nan\" is not a number");
  EXPECT_EQ(refusal(R"({"shuffle": 1})"), "shuffle: 1 is neither true nor false");
  EXPECT_EQ(refusal(R"({"normalize": 1})"), "normalize: 1 is not one of none, max");
  EXPECT_EQ(refusal(R"({"dictionary_penalty": [1, 2]})"),
            "dictionary_penalty: the array is not a text of the form \"l1,l2\"");
}

TEST(SettingsJsonRefused, NumbersThatDoNotFit) {
  EXPECT_PRED2(starts_with, refusal(R"({"rank": 9223372036854775808})"),
               "rank: 9223372036854775808 is not between");
  EXPECT_PRED2(starts_with, refusal(R"({"seed": -1})"),
               "seed: -1 is not between 0 and 18446744073709551615");
  EXPECT_PRED2(starts_with, refusal(R"({"max_outlier": 1e400})"), "settings: not valid JSON");
}

TEST(SettingsJsonRefused, GroupsOfTheWrongForm) {
  EXPECT_PRED2(contains, refusal(R"({"code_groups": "0,1"})"), "is not a list of lists");
  EXPECT_PRED2(starts_with, refusal(R"({"code_groups": [0, 1]})"),
               "code_groups: 0 is not a list of indices");
  EXPECT_EQ(refusal(R"({"code_groups": [[0.5]]})"), "code_groups: 0.5 is not a whole number");
}

TEST(SettingsJsonRefused, UnknownOption) {
  EXPECT_PRED2(starts_with, refusal(R"({"constraint": "bal"})"),
               "constraint: \"bal\" is not known; did you mean \"ball\"?");
}

TEST(SettingsJsonRefused, EveryErrorIsReported) {
  const std::string message = refusal(R"({"rank": "x", "epochs": true, "colour": 1})");
  EXPECT_PRED2(contains, message, "rank:");
  EXPECT_PRED2(contains, message, "\nepochs:");
  EXPECT_PRED2(contains, message, "\"colour\"");
}

TEST(SettingsJsonRefused, WhatIsNoJsonObject) {
  for (const char* text : {"", "{", "{\"rank\": }", "rank = 3", "{} x"}) {
    EXPECT_PRED2(starts_with, refusal(text), "settings: not valid JSON") << text;
  }
  EXPECT_EQ(refusal("[1]"), "settings: expected a JSON object, found array");
  EXPECT_EQ(refusal("null"), "settings: expected a JSON object, found null");
}

const FieldDescription& row(const std::vector<FieldDescription>& rows, std::string_view name) {
  for (const FieldDescription& each : rows) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

TEST(SettingsDescribe, Settings) {
  const auto rows = describe_settings();
  EXPECT_EQ(row(rows, "rank").default_value, "10");
  EXPECT_EQ(row(rows, "rank").allowed, "whole number, at least 1");
  EXPECT_EQ(row(rows, "lambda").default_value, "by algorithm");
  EXPECT_EQ(row(rows, "lambda").allowed, "auto, paper, a number");
  EXPECT_EQ(row(rows, "max_outlier").allowed, "above 0, or inf");
  EXPECT_EQ(row(rows, "constraint").default_value, "by algorithm");
  EXPECT_EQ(row(rows, "constraint").allowed, "ball, nonneg, simplex, elastic-net, none");
  EXPECT_EQ(row(rows, "dictionary_penalty").allowed, "l1,l2 with l1 at least 0, l2 at least 0");
  EXPECT_EQ(row(rows, "shuffle").help, "visit the samples in random order");
}

TEST(SettingsDescribe, Choices) {
  const auto rows = describe_choices();
  EXPECT_EQ(row(rows, "constraint ball").allowed, "ball");
  EXPECT_EQ(row(rows, "constraint elastic-net").allowed, "elastic-net:g1,g2");
  EXPECT_EQ(row(rows, "constraint elastic-net g1").default_value, "1");
  EXPECT_EQ(row(rows, "constraint elastic-net g1").allowed, "at least 0");
  EXPECT_EQ(row(rows, "lambda value").allowed, "a number");
  EXPECT_EQ(row(rows, "algorithm fast iterations").allowed, "whole number, at least 1");
}

TEST(SettingsDescribe, DefaultsOfSettingsAreWhatASettingsObjectHolds) {
  for (const FieldDescription& field : describe_settings()) {
    if (field.default_value == "by algorithm" || field.default_value == "one group") continue;
    Settings settings;
    settings.set(field.name, field.default_value);
    EXPECT_EQ(settings, Settings{}) << field.name;
  }
}

TEST(SettingsDescribe, PageInTheDocumentationIsUpToDate) {
#ifdef TAMIS_SOURCE_DIR
  std::ifstream file(TAMIS_SOURCE_DIR "/docs/settings.md");
  ASSERT_TRUE(file) << "docs/settings.md is missing";
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), settings_markdown()) << "write settings_markdown() to docs/settings.md";
#else
  GTEST_SKIP() << "the source directory is unknown";
#endif
}

}  // namespace
}  // namespace tamis
