// tamis separate: a video split into background and what moves.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "kept.hpp"
#include "monitor.hpp"
#include "option_flags.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "scene_files.hpp"

namespace tamis {
namespace {

struct SeparateFlags {
  Common common;
  InputFlags input;
  ScenePaths paths;
  SceneSettings settings;
  bool live = false;
  std::uint64_t seed = 0;  // nothing is random; here so that all commands can be given one
};

std::string_view group_of(std::string_view field) {
  if (field.starts_with("shadow_")) return "Shadows";
  for (const std::string_view name :
       {"rank", "lambda", "forget", "warmup", "batch_size", "learn_every", "iterations", "absorb",
        "ghost_frames", "cut", "steady", "threads"})
    if (field == name) return "Background";
  return "Mask";
}

// Tells about restarts, and remembers them.
class RestartLog final : public SceneObserver {
 public:
  RestartLog(const Common& common, ProgressMeter& meter) : common_(common), meter_(meter) {}

  void on_restart(Index frame, Restart why) override {
    const std::string_view reason = why == Restart::cut ? "cut" : "size";
    meter_.clear();
    say(common_, why == Restart::cut
                     ? fmt::format("frame {}: another scene; the model begins anew", frame)
                     : fmt::format("frame {}: frames have another size from here on; the model "
                                   "begins anew, outputs keep theirs",
                                   frame));
    json_.push_back({{"frame", frame}, {"why", reason}});
  }
  const Json& json() const { return json_; }

 private:
  const Common& common_;
  ProgressMeter& meter_;
  Json json_ = Json::array();
};

struct Times {
  double read = 0, separate = 0, write = 0;  // seconds
};

// Until the input ends, or the user has had enough of a camera.
template <class Push>
void read_frames(const SeparateFlags& flags, FrameSource& source, Times& times, const Push& push) {
  Frame frame;
  const Index limit = flags.input.limit;
  for (Index n = 0; limit == 0 || n < limit; ++n) {
    if (source.endless() && interrupt_requested()) return;
    stop_if_interrupted();
    if (!timed(times.read, [&] { return source.next(frame); })) return;
    push(frame);
  }
}

struct Summary {
  FrameShape shape;
  Index frames;
  double covered;  // share of the pixels
  double seconds;
};

void report(const SeparateFlags& flags, const Summary& found, const Times& times,
            const Json& restarts) {
  const double rate = double(found.frames) / std::max(times.separate, 1e-9);
  say(flags.common,
      fmt::format("{} frames, {:.1f} % of the pixels foreground; {} frames/s without reading and "
                  "writing, {:.2f} s in all",
                  with_commas(found.frames), 100 * found.covered,
                  with_commas(static_cast<long long>(rate)), found.seconds));
  print_result(flags.common,
               Json{{"status", "completed"},
                    {"settings", options_json(flags.settings)},
                    {"frames", found.frames},
                    {"width", found.shape.width},
                    {"height", found.shape.height},
                    {"foreground_share", found.covered},
                    {"restarts", restarts},
                    {"frames_per_second", rate},
                    {"seconds",
                     {{"read", times.read},
                      {"separate", times.separate},
                      {"write", times.write},
                      {"total", found.seconds}}},
                    {"outputs",
                     {{"background", flags.paths.background},
                      {"foreground", flags.paths.foreground},
                      {"mask", flags.paths.mask},
                      {"panel", flags.paths.panel}}}},
               "");
}

void require_output(const SeparateFlags& flags) {
  const auto& [background, foreground, mask, panel] = flags.paths;
  // With --json there are figures to look at.
  if (!flags.common.json && (background + foreground + mask + panel).empty())
    throw SettingsError(
        "nothing to write: give --background, --foreground, --mask or --panel, or --json for the "
        "figures alone");
}

void run_separate(const SeparateFlags& flags) {
  watch_for_interrupt();
  flags.settings.validate();
  require_output(flags);
  check_kept({flags.input.path}, flags.paths.all());
  check_writable(flags.paths.all(), false, flags.common);
  naming_file(flags.input.path, [&] {
    FrameSource source(flags.input.path, open_options(flags.input));
    SceneFiles files(flags.paths, source, flags.common.force);
    ProgressMeter meter(flags.common, "separate", "frames");
    RestartLog restarts(flags.common, meter);
    Times times;
    Index frames = 0;
    double covered = 0;
    const auto emit = [&](const SeparatedFrame& result) {
      timed(times.write, [&] { files.write(result); });
      covered +=
          double(std::ranges::count(result.mask.data, 255)) / double(result.mask.data.size());
      meter.show(++frames, source.frames());
    };
    if (flags.live) {
      BackgroundModel model(flags.settings, &restarts);
      read_frames(flags, source, times, [&](const Frame& frame) {
        const Frame& mask =
            timed(times.separate, [&]() -> const Frame& { return model.apply(frame); });
        emit({frames, frame, model.background(), mask});
      });
    } else {
      Separation separation(flags.settings, &restarts);
      read_frames(flags, source, times, [&](const Frame& frame) {
        timed(times.separate, [&] { separation.push(frame, emit); });
      });
      timed(times.separate, [&] { separation.finish(emit); });
      times.separate -= times.write;  // written while separating
    }
    if (frames == 0) throw DataError("there are no frames in it");
    timed(times.write, [&] { files.finish(); });
    meter.clear();
    report(flags, {source.shape(), frames, covered / double(frames), meter.seconds()}, times,
           restarts.json());
  });
}

void add_output(CLI::App& command, const std::string& flag, std::string& path,
                const std::string& help) {
  command.add_option(flag, path, help)->type_name("FILE")->group("Output");
}

}  // namespace

void add_separate(CLI::App& app) {
  const auto flags = std::make_shared<SeparateFlags>();
  CLI::App* command =
      add_command(app, "separate", "Split a video into background and what moves",
                  "tamis separate street.mp4 --mask masks/ --panel panel.mp4", flags->common);
  command
      ->add_option("VIDEO", flags->input.path,
                   "A video, a folder or glob of images, frames in .npy, a generator such as "
                   "video:, a camera (/dev/video0) or a stream (rtsp://...), until Ctrl-C")
      ->required();
  add_output(*command, "--background", flags->paths.background,
             "The background: a video, a folder for PNG files, or .npy, by its name");
  add_output(*command, "--foreground", flags->paths.foreground, "What moves, on black");
  add_output(*command, "--mask", flags->paths.mask, "Where something moves: 0 or 255");
  add_output(*command, "--panel", flags->paths.panel, "All of it side by side");
  add_force(*command, flags->common);
  add_option_flags(*command, flags->settings, group_of);
  command
      ->add_flag("--live", flags->live,
                 "Answer at once from the first frame on, without waiting for the warm-up")
      ->group("Background");
  command->add_option("--seed", flags->seed, "Taken for the sake of scripts: nothing is random")
      ->type_name("n")
      ->group("Background");
  command->add_option("--limit", flags->input.limit, "Only the first n frames")
      ->type_name("n")
      ->check(whole_number(1))
      ->group("Input");
  command->add_option("--resize", flags->input.resize, "Resize frames")
      ->type_name("WxH")
      ->group("Input");
  command->add_flag("--color", flags->input.color, "In colour instead of gray")->group("Input");
  command->callback([flags] { run_separate(*flags); });
}

}  // namespace tamis
