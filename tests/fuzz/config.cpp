// --config: flags from a TOML file, and what becomes of them.
#include "fuzz/command.hpp"

FUZZ(config) {
  using namespace tamis;
  using namespace tamis::fuzz;
  FitCommand command;
  const std::vector<std::string> given{"fit", "x.npy", "--config", folder().write("c.toml", bytes)};
  std::vector<std::string> arguments;
  if (!accepted([&] { arguments = with_config(command.app, given); })) return;
  require(arguments.size() >= given.size() && arguments[0] == given[0] &&
              std::equal(given.begin() + 1, given.end(), arguments.end() - 3),
          "what was given stays, and comes last");
  for (std::size_t i = 1; i + 3 < arguments.size(); ++i)
    require(arguments[i].starts_with("--"), "a file gives flags only");
  if (!command.parse(arguments)) return;
  require(command.input.path == "x.npy", "the input is the one that was given");
  accepted([&] {
    stream_options(command.input);
    open_options(command.input);
  });
  Settings settings;
  if (accepted([&] { settings = command.settings.settings(); })) check_settings(settings);
}
