// The numbers of the study's tables (published.csv): PSNR in dB and running times in seconds, of
// MATLAB R2015b on an i7-4790 at 3.6 GHz.
#pragma once

#include <string>

#include "tamis/types.hpp"

namespace tamis::experiments {

struct Published {
  double mean;  // NaN if the study has no such number
  double std;
};

// measure: psnr, seconds; setting: 0 where nothing was added
Published published(const std::string& measure, const std::string& data, Index K, int setting,
                    const std::string& algorithm);

}  // namespace tamis::experiments
