// `synthetic:…` and `swimmer:…` where a file could be named.
#include <gtest/gtest.h>

#include <string>

#include "generate/options.hpp"
#include "tamis/error.hpp"
#include "tamis/generate/generator.hpp"
#include "tamis/io/reader.hpp"

namespace tamis {
namespace {

std::string refusal(const std::string& input) {
  try {
    open_reader<float>(input);
  } catch (const SettingsError& error) {
    return error.what();
  }
  return "no refusal";
}

void expect_refusal(const std::string& input, const std::vector<std::string>& words) {
  const std::string message = refusal(input);
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << input << ": " << message;
}

TEST(GeneratorReader, ReadsWhatTheGeneratorMakes) {
  const Planted<double> data = synthetic<double>({.F = 30, .K = 4, .N = 200, .nu_tilde = 0.3});
  const auto reader = open_reader<double>("synthetic:features=30,rank=4,samples=200,nu-tilde=0.3");
  EXPECT_EQ(reader->samples(), 200);
  EXPECT_EQ(reader->access(), Access::random);
  EXPECT_EQ(reader->format().features(), 30);
  EXPECT_EQ(reader->format().type, ElementType::f64);
  Matrix<double> V(30, 150);
  EXPECT_EQ(reader->read(V), 150);
  EXPECT_EQ(V, data.V.leftCols(150));
  EXPECT_EQ(reader->read(V), 50);
  EXPECT_EQ(V.leftCols(50), data.V.rightCols(50));
  EXPECT_EQ(reader->read(V), 0);
  reader->seek(77);
  EXPECT_EQ(reader->read(V.leftCols(3)), 3);
  EXPECT_EQ(V.leftCols(3), data.V.middleCols(77, 3));
}

TEST(GeneratorReader, HasDefaults) {
  EXPECT_EQ(open_reader<float>("synthetic:")->samples(), 1000);
  EXPECT_EQ(open_reader<float>("synthetic:")->format().features(), 400);
  const auto swimmers = open_reader<float>("swimmer:");
  EXPECT_EQ(swimmers->samples(), 20 * 256);
  EXPECT_EQ(swimmers->format().shape, (std::vector<Index>{32, 32}));
  EXPECT_TRUE(swimmers->format().image());
}

TEST(GeneratorReader, CountsMayBeWrittenShort) {
  EXPECT_EQ(open_reader<float>("synthetic:samples=1e7")->samples(), 10'000'000);
  EXPECT_EQ(open_reader<float>("synthetic:samples=2.5E3")->samples(), 2500);
  EXPECT_EQ(open_reader<float>("synthetic: samples = 12 , nu_tilde=0.5")->samples(), 12);
  expect_refusal("synthetic:samples=1e-1", {"samples", "1e-1", "whole number"});
  expect_refusal("synthetic:samples=1e300", {"samples", "1e300", "whole number"});
  expect_refusal("synthetic:samples=2.5", {"samples", "2.5", "whole number"});
}

TEST(GeneratorReader, KindsHaveWords) {
  const auto kind = [](const std::string& text) {
    return std::get<SwimmerOptions>(parse_generator(text)).kind;
  };
  EXPECT_EQ(kind("swimmer:kind=uniform"), OutlierKind::uniform);
  EXPECT_EQ(kind("swimmer:kind=salt-and-pepper"), OutlierKind::salt_and_pepper);
  EXPECT_EQ(kind("swimmer:kind=salt_and_pepper"), OutlierKind::salt_and_pepper);
  EXPECT_EQ(option_text(OutlierKind::salt_and_pepper), "salt-and-pepper");
  expect_refusal("swimmer:kind=unifrom", {"kind", "unifrom", "did you mean \"uniform\"?"});
}

TEST(GeneratorReader, RefusesUnknownOptionsWithASuggestion) {
  expect_refusal("synthetic:sample=3", {"synthetic", "sample", "did you mean \"samples\"?"});
  expect_refusal("synthetic:nu-tidle=0.1", {"did you mean \"nu-tilde\"?"});
  expect_refusal("swimmer:copies=2,copies=3", {"copies", "twice"});
  expect_refusal("swimmer:copies=2,,nu=1", {"empty"});
  expect_refusal("swimmer:copies=", {"empty"});
}

TEST(GeneratorReader, RefusesValuesOutOfRangeAllAtOnce) {
  expect_refusal(
      "synthetic:samples=0,nu=1.5,nu-tilde=-1",
      {"samples = 0, must be at least 1", "nu = 1.5, must be between 0 and 1", "nu-tilde = -1"});
  expect_refusal("synthetic:noise=inf", {"noise = inf"});
  expect_refusal("synthetic:nu=nan", {"nu"});
  expect_refusal("swimmer:contrast=0", {"contrast = 0, must be above 0 and at most 1"});
  expect_refusal("synthetic:seed=-1", {"seed", "-1"});
}

TEST(GeneratorReader, OtherNamesAreFiles) {
  EXPECT_THROW(open_reader<float>("synthetic"), FileError);
  EXPECT_THROW(open_reader<float>("synthetix:samples=3"), FileError);
}

}  // namespace
}  // namespace tamis
