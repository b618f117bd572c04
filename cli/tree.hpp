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

}  // namespace tamis
