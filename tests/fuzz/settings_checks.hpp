// What must hold of all settings that can be read.
#pragma once

#include "fuzz/fuzz.hpp"
#include "settings/text.hpp"
#include "tamis/settings.hpp"

namespace tamis::fuzz {

inline void check_settings(const Settings& settings) {
  const std::string json = settings.to_json();
  const Settings again = Settings::from_json(json);
  require(again == settings, "settings come back from JSON");
  require(again.to_json() == json, "… and are written the same again");
  Settings from_text;
  Settings::fields(settings, [&](std::string_view name, const auto& value, auto&&...) {
    const std::string text = text::write(value);
    from_text.set(name, text);
  });
  require(from_text == settings, "settings come back from their texts");
  for (const std::string& violation : settings.violations(Index(12)))
    require(!violation.empty(), "a violation is put in words");
  if (!settings.violations().empty()) return;
  const Settings resolved = settings.resolved(Index(100));
  require(resolved.violations().empty(), "defaults break no rules");
  require(resolved.resolved(Index(100)) == resolved, "there is nothing left to resolve");
}

}  // namespace tamis::fuzz
