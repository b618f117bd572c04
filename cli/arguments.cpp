#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/error.hpp"

namespace tamis {
namespace {

// The flag that a word is, perhaps with its value ("--rank=3"); null if the command has none such
const CLI::Option* flag_of(const CLI::App& command, const std::string& word) {
  if (!word.starts_with("--")) return nullptr;
  return command.get_option_no_throw(word.substr(0, word.find('=')));
}

}  // namespace

Command find_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  Command command{&app, "", 0};
  for (const std::string& word : arguments) {
    const auto named =
        command.app->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (named.empty()) break;
    command.app = named.front();
    command.path += (command.path.empty() ? "" : ".") + word;
    ++command.arguments;
  }
  return command;
}

std::vector<std::string> with_command_first(const CLI::App& app,
                                            std::vector<std::string> arguments) {
  const auto begin = std::ranges::find_if(
      arguments, [](const std::string& word) { return word != "--json" && word != "--quiet"; });
  if (begin == arguments.end()) return arguments;
  // A first word that is no command is told better in its place.
  const std::size_t words = find_command(app, {begin, arguments.end()}).arguments;
  std::rotate(arguments.begin(), begin, begin + std::max<std::ptrdiff_t>(1, std::ptrdiff_t(words)));
  return arguments;
}

void check_values(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App& command = *find_command(app, arguments).app;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word.starts_with("--") && word.ends_with('=')) throw SettingsError(word + " has no value");
    const CLI::Option* flag = flag_of(command, word);
    if (flag == nullptr || flag->get_expected_min() == 0 || word.find('=') != std::string::npos)
      continue;
    if (i + 1 < arguments.size() && flag_of(command, arguments[i + 1]) != nullptr)
      throw SettingsError(fmt::format("{} has no value: {} follows, which is another flag", word,
                                      arguments[i + 1]));
  }
}

}  // namespace tamis
