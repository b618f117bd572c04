#include <fmt/format.h>

#include "settings/text.hpp"
#include "tamis/settings.hpp"

namespace tamis {

void Settings::set(std::string_view field, std::string_view value) {
  bool found = false;
  fields(*this, [&](std::string_view name, auto& target, auto&&...) {
    if (name != field) return;
    found = true;
    text::read(name, value, target);
  });
  if (!found) {
    throw SettingsError(
        fmt::format("setting {}", text::not_known(field, text::field_names<Settings>())));
  }
}

}  // namespace tamis
