// Values of the flags of `separate`, as a list: rank=5,lambda=auto:2
#include "tamis/video/scene_settings.hpp"
#include "fuzz/fuzz.hpp"
#include "generate/options.hpp"
#include "video/mask.hpp"

FUZZ(scene_settings) {
  using namespace tamis;
  using namespace tamis::fuzz;
  SceneSettings settings;
  if (!accepted([&] { read_options("separate", text_of(bytes), settings); })) return;
  SceneSettings again;
  SceneSettings::fields(settings, [&](std::string_view name, const auto& value, auto&&...) {
    SceneSettings::fields(again, [&](std::string_view other, auto& target, auto&&...) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>,
                                   std::remove_cvref_t<decltype(target)>>)
        if (name == other) read_option(name, option_text(value), target);
    });
  });
  require(again == settings, "settings come back from their texts");
  if (!accepted([&] { settings.validate(); })) return;
  const MaskSizes sizes(settings, {.height = 1 << 15, .width = 1 << 15});
  require(sizes.smooth > 0 && sizes.closing > 0, "widths stay widths in the largest frames");
}
