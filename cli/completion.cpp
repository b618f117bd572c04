// tamis completion: scripts that let a shell complete commands, flags and their values.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "common.hpp"
#include "experiment_names.hpp"
#include "print.hpp"
#include "settings/dashes.hpp"
#include "tamis/settings.hpp"
#include "tree.hpp"

namespace tamis {
namespace {

std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* sub : command.get_subcommands({})) words.push_back(sub->get_name());
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  return words;
}

// Flags whose values are words, and those words
std::map<std::string, std::vector<std::string>> values_of_flags() {
  std::map<std::string, std::vector<std::string>> values{{"--precision", {"float", "double"}},
                                                         {"--missing", {"nan"}},
                                                         {"--header", {"auto", "yes", "no"}}};
  for (const FieldDescription& choice : describe_choices()) {
    // "constraint ball" is an option, "constraint elastic-net g1" one of its parameters; an option
    // that is written as a number has no word.
    std::istringstream words(choice.name);
    std::string flag, option, parameter;
    words >> flag >> option >> parameter;
    if (!parameter.empty() || choice.allowed == "a number") continue;
    values["--" + with_dashes(flag)].push_back(option);
  }
  return values;
}

// Both shells run this one; zsh by its emulation of bash's completion.
std::string script(const CLI::App& app) {
  std::string commands, flags, values;
  visit_commands(app, [&](const std::string& path, const CLI::App& command) {
    if (!path.empty()) {
      const std::size_t space = path.rfind(' ');
      const std::string before = space == std::string::npos ? "" : path.substr(0, space);
      const std::string name = space == std::string::npos ? path : path.substr(space + 1);
      commands += fmt::format("      \"{}:{}\") command=\"{}\" ;;\n", before, name, path);
    }
    if (path == "experiment") {
      flags += fmt::format(
          "    experiment) words=\"{}\"\n"
          "      if [[ $previous == experiment && $current != -* ]]; then\n"
          "        words=\"{}\" is_word=yes\n"
          "      fi ;;\n",
          fmt::join(words_of(command), " "), fmt::join(experiment_names(), " "));
      return;
    }
    if (path == "completion") {
      flags += "    completion) words=\"bash zsh\"; [[ $current == -* ]] && words=--help ;;\n";
      return;
    }
    flags += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, fmt::join(words_of(command), " "));
  });
  for (const auto& [flag, words] : values_of_flags())
    values += fmt::format("    {}) words=\"{}\"; is_word=yes ;;\n", flag, fmt::join(words, " "));
  return fmt::format(
      "_tamis() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  local command=\"\" words=\"\" is_word=\"\" word\n"
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case \"$command:$word\" in\n{}"
      "    esac\n"
      "  done\n"
      "  case \"$command\" in\n{}"
      "  esac\n"
      "  [[ -z \"$command\" || \" generate evaluate completion \" == *\" $command \"* || "
      "\"$current\" == -* ]] && is_word=yes\n"
      "  case \"$previous\" in\n{}"
      "  esac\n"
      "  if [[ -n \"$is_word\" ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n"
      "    local IFS=$'\\n'\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _tamis tamis\n",
      commands, flags, values);
}

}  // namespace

void add_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->footer("Example:\n  source <(tamis completion bash)");
  command->add_option("SHELL", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([shell, command] {
    const std::string first =
        *shell == "zsh" ? "#compdef tamis\nautoload -U +X bashcompinit && bashcompinit\n" : "";
    if (!print_text(first + script(root_of(*command)))) throw RunFailed(no_output);
  });
}

}  // namespace tamis
