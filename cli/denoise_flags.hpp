// Flags of tamis denoise, and its way with photographs.
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "input.hpp"
#include "settings_flags.hpp"
#include "tamis/model.hpp"

namespace tamis {

struct DenoiseFlags {
  Common common;
  InputFlags input;
  SettingsFlags settings;
  std::vector<std::string> names;  // [model] input
  std::string out;
  double threshold = -1;  // unset
  bool reconstruction = false;
  bool keep_inliers = false;  // the default, said aloud
  EncodeOptions options;
  bool tolerance_given = false;

  // Of photographs, which are cut into patches
  Index patch = 0;   // unset
  Index stride = 0;  // unset
  std::string missing_mask;

  std::string panel;
};

// Each picture by a dictionary that is learned from its own patches
template <class T>
void run_denoise_photos(const DenoiseFlags& flags);

}  // namespace tamis
