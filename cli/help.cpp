#include "help.hpp"

#include <fmt/format.h>

namespace tamis {
namespace {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(32); }

  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    std::string usage = "Usage: " + full_name(*app);
    if (!app->get_subcommands({}).empty()) usage += " COMMAND";
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_positional()) continue;
      // Several values have a name of their own.
      const bool several = option->get_expected_max() > 1;
      usage += " " + (several ? option->get_type_name() : option->get_single_name());
    }
    return usage + " [FLAGS]\n";
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0 || option->get_positional()) return "";
    return " " + option->get_type_name();
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string& by_default = option->get_default_str();
    std::string text = option->get_description();
    if (!by_default.empty()) text += fmt::format(" [{}]", by_default);
    return option->get_required() ? text + " (required)" : text;
  }

 private:
  static std::string full_name(const CLI::App& app) {
    const CLI::App* parent = app.get_parent();
    return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace tamis
