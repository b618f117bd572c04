// The settings of the library as flags, made from the library's own list of them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tamis/settings.hpp"

namespace tamis {

class SettingsFlags {
 public:
  // defaults: those of the command, or of some of its inputs
  void add_to(CLI::App& command, const Settings& defaults = {}, const std::string& inputs = "");

  // What was given, the rest from `defaults`
  Settings settings(Settings defaults = {}) const;
  // Refuses flags that contradict the settings of a fit that is resumed. `threads` may differ.
  void check_agree(const Settings& resumed, const std::string& file) const;
  // Refuses flags about learning where a model that is there is used.
  void check_unused(const std::string& model) const;
  std::optional<Index> threads() const;

 private:
  struct Given {
    std::string field, flag, value;
  };

  std::vector<Given> given_;  // in the order of the command line
  std::string groups_;
};

}  // namespace tamis
