// --groups: files of indices, a line per group.
#include <sstream>

#include "fuzz/command.hpp"

FUZZ(groups) {
  using namespace tamis;
  using namespace tamis::fuzz;
  FitCommand command;
  const std::string path = folder().write("groups.txt", bytes);
  if (!command.parse({"fit", "x.npy", "--outlier-penalty=group", "--groups=" + path})) return;
  Settings settings;
  if (!accepted([&] { settings = command.settings.settings(); })) return;
  std::istringstream lines{std::string(text_of(bytes))};
  std::size_t groups = 0;
  for (std::string line; std::getline(lines, line);)
    groups += line.find_first_not_of(" \t\r\v\f,") == std::string::npos ? 0 : 1;
  require(settings.outlier_groups.size() == groups, "a group for every line that has something");
  check_settings(settings);
}
