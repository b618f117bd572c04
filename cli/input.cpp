#include "input.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "common.hpp"
#include "interrupt.hpp"
#include "settings/suggest.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

ImageSize parse_size(const std::string& text) {
  const auto sides = parse_sides(text);
  if (!sides)
    throw SettingsError(fmt::format("--resize {} is not a size such as 64x48 (width x height)",
                                    text::quoted(text)));
  return {sides->first, sides->second};
}

}  // namespace

void add_input_flags(CLI::App& command, InputFlags& flags) {
  const std::string group = "Input";
  command.add_option("--limit", flags.limit, "Only the first n samples")
      ->type_name("n")
      ->check(whole_number(1))
      ->group(group);
  command.add_option("--repeat", flags.stream.repeat, "Every sample p times in a pass")
      ->type_name("p")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--shuffle-window", flags.stream.shuffle_window,
          "Samples among which a stream (pipe, text, video) is shuffled; others are shuffled whole")
      ->type_name("n")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group(group);
  command.add_option("--resize", flags.resize, "Resize images and frames")
      ->type_name("WxH")
      ->group(group);
  command.add_flag("--color", flags.color, "Images and frames in colour instead of gray")
      ->group(group);
  command.add_option("--header", flags.header, "Has a text table a line of names: auto, yes, no")
      ->type_name("X")
      ->check(CLI::IsMember({"auto", "yes", "no"}))
      ->capture_default_str()
      ->group(group);
}

OpenOptions open_options(const InputFlags& flags) {
  OpenOptions options;
  if (!flags.resize.empty()) options.resize = parse_size(flags.resize);
  options.color = flags.color;
  if (flags.header != "auto") options.header = flags.header == "yes";
  options.interrupted = interrupt_requested;
  return options;
}

bool stored_as_double(const InputFlags& flags) {
  return open_reader<float>(flags.path, open_options(flags))->format().type == ElementType::f64;
}

StreamOptions stream_options(const InputFlags& flags) {
  StreamOptions options = flags.stream;
  if (flags.limit > 0) options.limit = flags.limit;
  return options;
}

std::string selection(const InputFlags& flags) {
  return fmt::format(
      "--limit {} --repeat {} --shuffle-window {} --resize {} --color {} --header {}", flags.limit,
      flags.stream.repeat, flags.stream.shuffle_window,
      flags.resize.empty() ? "none" : flags.resize, flags.color, flags.header);
}

std::string in_flags(std::string message) {
  for (const auto& [setting, flag] :
       {std::pair{"the setting missing", "--missing nan"},
        std::pair{"the setting allow_negative is on", "--allow-negative is given"},
        std::pair{"a larger batch_size", "a larger --batch-size"}}) {
    if (const auto at = message.find(setting); at != std::string::npos)
      message.replace(at, std::strlen(setting), flag);
  }
  return message;
}

template <class T>
ReaderSource<T> Input<T>::open(const InputFlags& flags) {
  return naming_file(flags.path, [&] {
    return ReaderSource<T>(open_reader<T>(flags.path, open_options(flags)), stream_options(flags));
  });
}

template struct Input<float>;
template struct Input<double>;

}  // namespace tamis
