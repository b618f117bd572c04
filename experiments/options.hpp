// What the user of `tamis experiment` can choose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamis/types.hpp"

namespace tamis::experiments {

struct Options {
  std::string data;                 // folder of the data sets; empty: none
  std::string out = "results";      // folder; an experiment has a folder of its own in it
  double scale = 1;                 // share of the samples, in (0, 1]
  std::optional<Index> runs;        // initialisations; unset: the experiment's own number
  std::optional<Index> batch_runs;  // of batch algorithms, which take longest; unset: as runs
  Index threads = 1;                // as the study's times are of one thread
  std::uint64_t seed = 0;
  std::vector<std::string> only;  // algorithms; empty: all
};

}  // namespace tamis::experiments
