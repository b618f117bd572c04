// tamis denoise --patch: photographs, each cleaned with what is learned from its own patches.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "denoise_flags.hpp"
#include "interrupt.hpp"
#include "kept.hpp"
#include "outputs.hpp"
#include "panel.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "tamis/error.hpp"
#include "tamis/image/photo.hpp"

namespace tamis {
namespace {

PhotoOptions photo_options(const DenoiseFlags& flags) {
  PhotoOptions options;
  if (flags.patch > 0) options.patch = flags.patch;
  if (flags.stride > 0) options.stride = flags.stride;
  options.stride = std::min(options.stride, options.patch);
  if (flags.stride > options.patch)
    throw SettingsError(fmt::format("--stride {} is more than the patch has pixels, {}",
                                    flags.stride, options.patch));
  options.reconstruction = flags.reconstruction;
  options.settings = flags.settings.settings(PhotoOptions::photo_settings());
  options.settings.validate();
  const double tolerance = options.encoding.tolerance;
  options.encoding = flags.options;
  if (!flags.tolerance_given) options.encoding.tolerance = tolerance;
  return options;
}

template <class T>
void require_known(const PictureItem<T>& item, const DenoiseFlags& flags, bool missing) {
  if (!missing && item.pixels.hasNaN())
    throw DataError(
        fmt::format("{}: a pixel is NaN; if that marks missing pixels, say so with "
                    "--missing nan",
                    flags.input.path));
}

// Pixels of which at least one channel was replaced
template <class T>
Index replaced_pixels(const CleanedPhoto<T>& cleaned, Index channels) {
  return (cleaned.replaced.reshaped(channels, cleaned.replaced.size() / channels)
              .colwise()
              .maxCoeff()
              .array() > T(0))
      .count();
}

}  // namespace

template <class T>
void run_denoise_photos(const DenoiseFlags& flags) {
  watch_for_interrupt();
  PhotoOptions options = photo_options(flags);
  check_kept({flags.missing_mask}, {flags.out, flags.panel});
  check_kept({flags.input.path}, {flags.panel});  // --out may be the input, cleaned in place
  check_writable({flags.out, flags.panel}, false, flags.common);
  std::optional<MissingMasks> masks;
  if (!flags.missing_mask.empty()) masks.emplace(flags.missing_mask);
  const auto pictures = open_pictures<T>(flags.input, flags.out, flags.common.force);
  if (masks) masks->check_count(pictures->count());
  PanelWriter panel(flags.panel, flags.common.force);
  ProgressMeter meter(flags.common, "denoise");
  options.progress = [](double) { return !interrupt_requested(); };
  Index done = 0;
  Index replaced = 0, pixels = 0;
  PictureItem<T> item;
  while (pictures->next(item)) {
    require_known(item, flags, options.settings.missing);
    const double unit = item.format.unit;
    if (flags.threshold >= 0) options.threshold = flags.threshold / unit;
    if (masks) masks->apply(item);
    const CleanedPhoto<T> cleaned = naming_file(
        flags.input.path, [&] { return clean_photo<T>(item.pixels, item.size(), options); });
    pictures->write(item, cleaned.picture);
    if (panel.wanted())
      panel.add(item.name, item.format,
                {{"before", shown(item.pixels)},
                 {"after", shown(cleaned.picture)},
                 {"replaced (white)", cleaned.replaced.template cast<float>(), true}});
    replaced += replaced_pixels(cleaned, item.size().channels);
    pixels += item.size().entries() / item.size().channels;
    meter.show(++done, pictures->count());
    stop_if_interrupted();
  }
  if (done == 0) throw DataError(flags.input.path + ": there are no pictures");
  pictures->finish();
  panel.finish();
  const double share = double(replaced) / double(pixels);
  say(flags.common,
      fmt::format("{} picture{} denoised in {:.2f} s, {:.1f} % of the pixels replaced; in {}",
                  with_commas(done), done == 1 ? "" : "s", meter.seconds(), 100 * share,
                  flags.out));
  Json json{{"status", "completed"},  {"samples", done},        {"seconds", meter.seconds()},
            {"out", flags.out},       {"patch", options.patch}, {"stride", options.stride},
            {"replaced_share", share}};
  if (flags.threshold >= 0) json["threshold"] = number(flags.threshold);
  print_result(flags.common, json, "");
}

template void run_denoise_photos<float>(const DenoiseFlags&);
template void run_denoise_photos<double>(const DenoiseFlags&);

}  // namespace tamis
