// tamis man: the manual page, made of the same texts as --help.

#include <fmt/format.h>

#include <string>

#include "commands.hpp"
#include "common.hpp"
#include "print.hpp"
#include "tamis/version.hpp"
#include "tree.hpp"

namespace tamis {
namespace {

// What roff would take for a command or an escape
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += std::string("\\&") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string option_entry(const CLI::Option& option) {
  const std::string flag = flag_name(option);
  if (flag.empty())
    return fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(positional_name(option)),
                       escaped(option_text(option)));
  return fmt::format(".TP\n\\fB{}\\fR\\fI{}\\fR\n{}\n", escaped(flag), escaped(value_name(option)),
                     escaped(option_text(option)));
}

std::string command_section(const std::string& path, const CLI::App& command) {
  std::string text =
      fmt::format(".SS tamis {}\n{}.\n", escaped(path), escaped(command.get_description()));
  for (const CLI::Option* option : command.get_options())
    if (option->get_lnames() != std::vector<std::string>{"help"}) text += option_entry(*option);
  const std::string footer = command.get_footer();
  if (const auto at = footer.find("\n  "); at != std::string::npos)
    text += fmt::format(".PP\n.nf\n    {}\n.fi\n", escaped(footer.substr(at + 3)));
  return text;
}

std::string page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH TAMIS 1 \"\" \"tamis {}\" \"User Commands\"\n"
      ".SH NAME\ntamis \\- {}\n"
      ".SH SYNOPSIS\n\\fBtamis\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\n"
      "Samples stream in, a small dictionary W of nonnegative parts is learned from them, and what "
      "does not fit is sieved out: V = WH + R.\n"
      ".SH COMMANDS\n",
      version, escaped(app.get_description()));
  visit_commands(app, [&](const std::string& path, const CLI::App& command) {
    if (!path.empty()) text += command_section(path, command);
  });
  text +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nall went well\n.TP\n1\nthe run failed\n.TP\n2\nbad usage\n.TP\n3\nbad input\n"
      ".TP\n130\ninterrupted; \\fBfit\\fR then has written a checkpoint\n";
  return text;
}

}  // namespace

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page");
  command->footer("Example:\n  tamis man | man -l -");
  command->callback([command] {
    if (!print_text(page(root_of(*command)))) throw RunFailed(no_output);
  });
}

}  // namespace tamis
