// A case: one algorithm with one setting on one data set, to be run once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "experiments/data_sets.hpp"
#include "experiments/options.hpp"
#include "tamis/settings.hpp"

namespace tamis::experiments {

// How a case differs from the study's canonical setting.
struct Variation {
  Index K = 49;
  std::optional<Index> tau = {};  // unset: the data set's own
  int setting = 1;                // of the contamination; 0: none
  double rho = 1;                 // of ADMM
  double kappa = 0.7;             // of PGD
  std::string init = "uniform";
  bool own = false;  // of `fast`: its own defaults instead of the study's problem
  // Of `badmm`: ρ₃ as printed, beside A = HHᵀ. Otherwise beside its mean over the samples, as in
  // `oadmm`: W is bound to its copy as firmly whatever N is (see convergence.cpp).
  bool literal = false;
  Index run = 0;
};

struct Case {
  std::string id;  // name of its file
  std::string data;
  std::string algorithm;
  std::string label;  // for legends
  int setting = 1;
  Json varied;  // the "case" of the JSON
  Settings settings;
  Index run = 0;

  // The settings for N samples
  Settings settings_for(Index N) const;
};

// Also of algorithms that there are not
std::string case_id(const std::string& data, const std::string& algorithm,
                    const Variation& variation);

// The same seed for all algorithms of a run: they begin with the same W₀.
Case make_case(const Options& options, const std::string& data, const std::string& algorithm,
               const Variation& variation);

// Initialisations; those of the batch algorithms cost most and vary least.
struct Repetitions {
  Index online;
  Index batch;
};

// Every chosen algorithm on each of the sets that are there, so many times; `fast` in another
// variation too.
std::vector<Case> cases_of(const Options& options, const DataSets& data,
                           const std::vector<std::string>& sets, const Repetitions& runs,
                           Variation variation, Variation of_fast);

}  // namespace tamis::experiments
