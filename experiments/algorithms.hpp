// The algorithms that are compared, by name: those of them that this program has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/options.hpp"

namespace tamis::experiments {

struct AlgorithmInfo {
  std::string name;
  std::string help;
  bool batch;  // needs all samples at once
};

// In the order to show them.
const std::vector<AlgorithmInfo>& algorithms();
bool is_batch(std::string_view algorithm);

// Of these names those that exist and were not left out by --only.
std::vector<std::string> chosen(const Options& options, const std::vector<std::string>& names);
std::vector<std::string> chosen(const Options& options);
// Throws SettingsError if --only names something else.
void check_only(const Options& options);

inline const std::vector<std::string> our_online = {"opgd", "oadmm"};  // the study's own
inline const std::vector<std::string> of_the_study = {"opgd", "oadmm", "bpgd", "badmm"};
inline const std::vector<std::string> online = {"fast", "opgd", "oadmm", "orpca", "onmf"};
inline const std::vector<std::string> online_and_batch = {"fast", "opgd", "oadmm", "bpgd", "badmm"};

}  // namespace tamis::experiments
