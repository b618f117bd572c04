#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "arguments.hpp"
#include "common.hpp"
#include "settings/suggest.hpp"
#include "settings/text.hpp"
#include "suggestions.hpp"
#include "tamis/error.hpp"
#include "tree.hpp"

namespace tamis {
namespace {

std::string config_file(const std::vector<std::string>& arguments) {
  const std::string flag = "--config";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == flag && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with(flag + "=")) return arguments[i].substr(flag.size() + 1);
  }
  return {};
}

// The parser copies every part of a section's name for every other one.
void check_depth(const std::string& text, const std::string& path) {
  constexpr std::ptrdiff_t deepest = 8;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool section = text::trimmed(line).starts_with('[');
    if (section && std::ranges::count(line, '.') > deepest)
      throw FileError(fmt::format("{}: {} is not a command", path, text::quoted(line)));
  }
}

std::vector<CLI::ConfigItem> read_items(const std::string& path) {
  constexpr std::size_t longest = std::size_t(1) << 20;
  const std::string text = read_text_file(path, longest);
  check_depth(text, path);
  try {
    std::istringstream lines(text);
    return CLI::ConfigTOML().from_config(lines);
  } catch (const std::exception& problem) {
    throw FileError(fmt::format("{}: {}", path, problem.what()));
  }
}

// A section must be a command, this one or another.
void check_section(const CLI::App& app, const std::string& section, const std::string& path) {
  std::vector<std::string> commands;
  visit_commands(app, [&](std::string command, const CLI::App&) {
    std::ranges::replace(command, ' ', '.');
    commands.push_back(command);
  });
  if (std::ranges::find(commands, section) != commands.end()) return;
  const auto guess = text::closest(section, commands);
  throw FileError(fmt::format("{}: [{}] is not a command{}", path, section,
                              guess ? fmt::format("; did you mean [{}]?", *guess) : ""));
}

void add_flag(const CLI::App& command, const CLI::ConfigItem& item, const std::string& path,
              std::vector<std::string>& arguments) {
  const CLI::Option* option = command.get_option_no_throw("--" + item.name);
  if (option == nullptr || item.name == "config" || item.name == "help") {
    throw FileError(fmt::format("{}: {}{}", path, text::quoted(item.name),
                                not_a_flag("--" + item.name, command)));
  }
  if (option->get_expected_min() == 0) {  // a switch
    const std::string value = item.inputs.empty() ? "true" : item.inputs.front();
    if (value != "true" && value != "false")
      throw FileError(fmt::format("{}: {} must be true or false", path, item.name));
    if (value == "true") {
      arguments.push_back("--" + item.name);
    } else if (command.get_option_no_throw("--no-" + item.name) != nullptr) {
      arguments.push_back("--no-" + item.name);
    }
    return;
  }
  if (item.inputs.size() != 1 || item.inputs.front().empty())
    throw FileError(
        fmt::format("{}: {} needs one value; write lists as text, \"0.1,0.5\"", path, item.name));
  // The parser takes # for the beginning of a comment there, too.
  if (item.inputs.front().front() == '"' || item.inputs.front().front() == '\'')
    throw FileError(
        fmt::format("{}: {}: a quote is not closed, or a # is inside it", path, item.name));
  arguments.push_back(fmt::format("--{}={}", item.name, item.inputs.front()));
}

}  // namespace

std::vector<std::string> with_config(const CLI::App& app, std::vector<std::string> arguments) {
  const std::string path = config_file(arguments);
  const Command command = find_command(app, arguments);
  if (path.empty() || command.arguments == 0) return arguments;
  std::vector<std::string> flags;
  for (const CLI::ConfigItem& item : read_items(path)) {
    const std::string section = fmt::format("{}", fmt::join(item.parents, "."));
    const bool marks_a_section = item.name == "++" || item.name == "--";
    check_section(app, section, path);
    if (!marks_a_section && (section.empty() || section == command.path))
      add_flag(*command.app, item, path, flags);
  }
  arguments.insert(arguments.begin() + std::ptrdiff_t(command.arguments), flags.begin(),
                   flags.end());
  return arguments;
}

}  // namespace tamis
