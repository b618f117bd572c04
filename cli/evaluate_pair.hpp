// What the measures of tamis evaluate have in common: a truth, and what is compared with it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "common.hpp"
#include "paired_input.hpp"

namespace tamis {

struct PairFlags {
  Common common;
  std::string first, second;
  PairedOptions options;
  Index limit = 0;  // 0: all

  PairedInput open() const;
};

void add_pair(CLI::App& command, PairFlags& flags, const std::string& first,
              const std::string& first_help, const std::string& second,
              const std::string& second_help);
// --color
void add_color(CLI::App& command, PairFlags& flags);
// --peak
void add_peak(CLI::App& command, PairFlags& flags);

// "1,234 samples of 361 features"
std::string extent(Index samples, Index features);
Json pair_json(const PairFlags& flags, const char* first, const char* second);
// Throws DataError if nothing was read.
void require_samples(const PairFlags& flags, Index samples);

}  // namespace tamis
