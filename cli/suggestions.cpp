#include "suggestions.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "settings/suggest.hpp"

namespace tamis {
namespace {

std::string guess(const std::string& word, const std::vector<std::string>& known) {
  const auto closest = text::closest(word, known);
  return closest ? fmt::format("; did you mean {}?", *closest) : std::string();
}

const CLI::App& deepest(const CLI::App& app) {
  const auto subcommands = app.get_subcommands();
  return subcommands.empty() ? app : deepest(*subcommands.front());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

}  // namespace

std::string not_a_flag(const std::string& flag, const CLI::App& command) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return " is not known" + guess(flag.substr(0, flag.find('=')), known);
}

std::string about_leftovers(const CLI::App& app) {
  const CLI::App& command = deepest(app);
  const std::vector<std::string> left = app.remaining(true);
  const std::string word = left.empty() ? "" : left.front();
  const std::string help = fmt::format(" ({} --help tells more)", full_name(command));
  const std::string flag = word.substr(0, word.find('='));
  if (word.starts_with("--") && command.get_option_no_throw(flag) != nullptr)
    return fmt::format("{} belongs behind the command: {} {}", flag, full_name(command), flag);
  if (word.starts_with("-")) return flag + not_a_flag(word, command) + help;
  std::vector<std::string> commands;
  for (const CLI::App* sub : command.get_subcommands({})) commands.push_back(sub->get_name());
  if (!commands.empty())
    return fmt::format("{} is not a command{}{}", text::quoted(word), guess(word, commands), help);
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(word, ignored);
  return fmt::format("{} was not expected{}{}", text::quoted(word),
                     is_file ? "; several files are named by a pattern in quotes: 'part*.npy'" : "",
                     help);
}

}  // namespace tamis
