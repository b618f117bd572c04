// The commands and their flags, for texts that are made of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tamis {

inline const CLI::App& root_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app : root_of(*parent);
}

// Calls visit("generate synthetic", command) for the app (path "") and everything below.
template <class Visit>
void visit_commands(const CLI::App& app, Visit&& visit, const std::string& path = {}) {
  visit(path, app);
  for (const CLI::App* sub : app.get_subcommands({}))
    visit_commands(*sub, visit, path.empty() ? sub->get_name() : path + " " + sub->get_name());
}

// "--rank", of an option that is a flag; "" of a positional
inline std::string flag_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? std::string() : "--" + option.get_lnames().front();
}

// " n", of a flag that takes a value
inline std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string name = option.get_type_name();  // "n:POSITIVE" with the checks
  return " " + name.substr(0, name.find(':'));
}

// Several values have a name of their own: "[MODEL] INPUT".
inline std::string positional_name(const CLI::Option& option) {
  return option.get_expected_max() > 1 ? option.get_type_name() : option.get_single_name();
}

// What it means, its default, whether it must be there
inline std::string option_text(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
  if (!option.get_default_str().empty()) text += " [" + option.get_default_str() + "]";
  return option.get_required() ? text + " (required)" : text;
}

}  // namespace tamis
