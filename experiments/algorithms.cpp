#include "experiments/algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "settings/suggest.hpp"
#include "tamis/error.hpp"
#include "tamis/settings.hpp"

namespace tamis::experiments {
namespace {

constexpr std::array<std::string_view, 7> in_order = {"fast",  "opgd",  "oadmm", "bpgd",
                                                      "badmm", "orpca", "onmf"};

std::vector<AlgorithmInfo> find_algorithms() {
  std::vector<AlgorithmInfo> found;
  for (const std::string_view name : in_order) {
    for_each_option<Algorithm>([&](const auto& option) {
      if (option.name == name)
        found.push_back({std::string(name), std::string(option.help), option.whole});
    });
  }
  return found;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> names_of_all() {
  std::vector<std::string> names;
  for (const AlgorithmInfo& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

}  // namespace

const std::vector<AlgorithmInfo>& algorithms() {
  static const std::vector<AlgorithmInfo> all = find_algorithms();
  return all;
}

bool is_batch(std::string_view algorithm) {
  return std::ranges::any_of(algorithms(), [&](const AlgorithmInfo& info) {
    return info.name == algorithm && info.batch;
  });
}

std::vector<std::string> chosen(const Options& options, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const AlgorithmInfo& info : algorithms()) {
    const bool wanted = options.only.empty() || contains(options.only, info.name);
    if (wanted && contains(names, info.name)) found.push_back(info.name);
  }
  return found;
}

std::vector<std::string> chosen(const Options& options) { return chosen(options, names_of_all()); }

void check_only(const Options& options) {
  for (const std::string& name : options.only)
    if (!contains(names_of_all(), name))
      throw SettingsError(
          fmt::format("--only: algorithm {}", text::not_known(name, names_of_all())));
}

}  // namespace tamis::experiments
