// A command with the flags of `fit`, for what is read from files that flags name.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>

#include "common.hpp"
#include "config.hpp"
#include "fuzz/settings_checks.hpp"
#include "input.hpp"
#include "settings_flags.hpp"

namespace tamis::fuzz {

struct FitCommand {
  FitCommand() {
    app.name("tamis");
    app.require_subcommand(1);
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    CLI::App* fit = add_command(app, "fit", "", "", common);
    fit->add_option("INPUT", input.path)->required();
    add_force(*fit, common);
    settings.add_to(*fit);
    add_input_flags(*fit, input);
    app.add_subcommand("generate")->add_subcommand("synthetic");
  }

  // False if they are refused
  bool parse(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);
    return accepted([&] {
      try {
        app.parse(arguments);
      } catch (const CLI::ParseError& error) {
        throw SettingsError(error.what());
      }
    });
  }

  CLI::App app;
  Common common;
  InputFlags input;
  SettingsFlags settings;
};

}  // namespace tamis::fuzz
