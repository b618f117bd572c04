// Flags of tamis fit.
#pragma once

#include <string>

#include "common.hpp"
#include "input.hpp"
#include "settings_flags.hpp"

namespace tamis {

struct FitFlags {
  Common common;
  InputFlags input;
  SettingsFlags settings;
  std::string precision;  // empty: float, or that of the fit that is resumed
  std::string out, codes, outliers;
  std::string checkpoint, resume;
  Index checkpoint_every = 1000;
  Index sync_every = 1;
  std::string wire = "double";
  bool async = false;

  void add_to(CLI::App& command);

 private:
  void add_outputs(CLI::App& command);
  void add_checkpoints(CLI::App& command);
  void add_ranks(CLI::App& command);
};

}  // namespace tamis
