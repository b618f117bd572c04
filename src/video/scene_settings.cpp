#include "tamis/video/scene_settings.hpp"

#include <fmt/format.h>

#include "generate/options.hpp"
#include "generate/require.hpp"

namespace tamis {

void SceneSettings::validate() const {
  check_options(*this);
  // Numbers of pixels and frames that are multiplied with others
  constexpr Index most = 65535;
  require(batch_size <= most, "batch-size", batch_size, "at most 65535");
  require(learn_every <= most, "learn-every", learn_every, "at most 65535");
  require(smooth <= most, "smooth", smooth, "at most 65535");
  require(closing <= most, "closing", closing, "at most 65535");
  std::visit([](const auto& rule) { check_options(rule); }, lambda);
  std::visit([](const auto& rule) { check_options(rule); }, forget);
}

void SceneSettings::set(std::string_view field, std::string_view value) {
  bool found = false;
  fields(*this, [&](std::string_view name, auto& target, auto&&...) {
    if (name != field) return;
    found = true;
    read_option(name, value, target);
  });
  if (!found) {
    throw SettingsError(
        fmt::format("setting {}", text::not_known(field, text::field_names<SceneSettings>())));
  }
}

std::vector<FieldDescription> describe_scene_settings() {
  std::vector<FieldDescription> rows;
  const SceneSettings defaults;
  SceneSettings::fields(defaults, [&](std::string_view name, const auto& value, const Range& range,
                                      std::string_view help) {
    rows.push_back(
        {std::string(name), option_text(value), allowed_text(value, range), std::string(help)});
  });
  return rows;
}

}  // namespace tamis
