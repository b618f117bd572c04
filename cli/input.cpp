#include "input.hpp"

#include <fmt/format.h>

#include <charconv>

#include "interrupt.hpp"
#include "settings/suggest.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

ImageSize parse_size(const std::string& text) {
  ImageSize size{0, 0};
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  const bool cross = width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X');
  const auto height = cross ? std::from_chars(width.ptr + 1, end, size.height) : width;
  if (!cross || height.ptr != end || size.width < 1 || size.height < 1)
    throw SettingsError(fmt::format("--resize {} is not a size such as 64x48 (width x height)",
                                    text::quoted(text)));
  return size;
}

}  // namespace

void add_input_flags(CLI::App& command, InputFlags& flags) {
  const std::string group = "Input";
  command.add_option("--limit", flags.limit, "Only the first n samples")
      ->type_name("n")
      ->check(CLI::PositiveNumber)
      ->group(group);
  command.add_option("--repeat", flags.stream.repeat, "Every sample p times in a pass")
      ->type_name("p")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--shuffle-window", flags.stream.shuffle_window,
                  "Samples among which those of a stream are shuffled; files are shuffled whole")
      ->type_name("n")
      ->check(CLI::PositiveNumber)
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

template <class T>
StreamOptions Input<T>::stream_options(const InputFlags& flags) {
  StreamOptions options = flags.stream;
  if (flags.limit > 0) options.limit = flags.limit;
  return options;
}

template struct Input<float>;
template struct Input<double>;

}  // namespace tamis
