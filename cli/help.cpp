#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tree.hpp"

namespace tamis {
namespace {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(32);
    label("Subcommands", "Commands");
  }

  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    std::string usage = "Usage: " + full_name(*app);
    if (!app->get_subcommands({}).empty()) usage += " COMMAND";
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_positional()) continue;
      usage += " " + positional_name(*option);
    }
    return usage + " [FLAGS]\n";
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string name =
        is_positional ? positional_name(*option) : flag_name(*option) + value_name(*option);
    return entry(name, option_text(*option));
  }

  std::string make_subcommand(const CLI::App* sub) const override {
    return entry(sub->get_name(), sub->get_description());
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string text = is_positional ? "\nArguments:\n" : group + ":\n";
    for (const CLI::Option* option : options) text += make_option(option, is_positional);
    return text;
  }

 private:
  // The name, and the text beside it in lines that fit a terminal
  std::string entry(const std::string& name, const std::string& text) const {
    constexpr std::size_t width = 96;
    std::string result = fmt::format("  {:<{}}", name, get_column_width() - 2);
    std::size_t column = std::max(name.size() + 2, get_column_width());
    if (name.size() + 3 > get_column_width()) {
      result += "\n" + std::string(get_column_width(), ' ');
      column = get_column_width();
    }
    std::istringstream words(text);
    bool first = true;
    for (std::string word; words >> word; first = false) {
      if (!first && column + word.size() + 1 > width) {
        result += "\n" + std::string(get_column_width(), ' ');
        column = get_column_width();
      } else if (!first) {
        result += ' ';
        ++column;
      }
      result += word;
      column += word.size();
    }
    return result + "\n";
  }

  static std::string full_name(const CLI::App& app) {
    const CLI::App* parent = app.get_parent();
    return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace tamis
