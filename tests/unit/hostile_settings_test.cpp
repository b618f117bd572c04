// Settings from files that nobody of good will wrote.
#include <gtest/gtest.h>

#include "settings/suggest.hpp"
#include "tamis/error.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

TEST(HostileSettings, JsonNestedWithoutEnd) {
  for (const char* open : {"[", "{\"rank\":", "{\"outlier_groups\":[["}) {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += open;
    EXPECT_THROW(Settings::from_json(text), SettingsError);
  }
  const std::string nested = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_THROW(Settings::from_json("{\"rank\": " + nested + "}"), SettingsError);
  EXPECT_THROW(Settings::from_json("{\"outlier_groups\": " + nested + "}"), SettingsError);
}

TEST(HostileSettings, NumbersThatCannotBe) {
  for (const char* json :
       {R"({"rank": 1e18})", R"({"rank": 99999999999999999999})", R"({"rank": NaN})",
        R"({"rank": -9223372036854775809})", R"({"max_outlier": 1e999})", R"({"lambda": "nan"})",
        R"({"seed": -1})", R"({"max_outlier": "nan"})", R"({"forget": "decay:nan"})"})
    EXPECT_THROW(Settings::from_json(json), SettingsError) << json;
  for (const char* value : {"elastic-net:0.1,", "elastic-net:,", "elastic-net:0.1,,",
                            "elastic-net:", "elastic-net:g1=0.1,g1=0.2", "elastic-net:nan",
                            "elastic-net:0.1,0.2,0.3", ":", "", ":::", "elastic-net:1e999"}) {
    Settings settings;
    EXPECT_THROW(settings.set("constraint", value), SettingsError) << value;
    EXPECT_EQ(settings, Settings{}) << value;
  }
}

TEST(HostileSettings, MessagesDoNotSpeakToTheTerminal) {
  EXPECT_EQ(text::quoted("a\x1b[31mb\n\x7f"), "\"a\\x1b[31mb\\x0a\\x7f\"");
  EXPECT_EQ(text::quoted("λ ≥ 0"), "\"λ ≥ 0\"");
  try {
    Settings().set("constraint", "\x1b]0;title\x07");
    FAIL();
  } catch (const SettingsError& error) {
    EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
  }
}

// Looking for what was meant takes time for every letter.
TEST(HostileSettings, LongWordsAreNotGuessed) {
  EXPECT_EQ(text::closest(std::string(8'000'000, 'b'), {std::string(1000, 'b')}), std::nullopt);
}

}  // namespace
}  // namespace tamis
