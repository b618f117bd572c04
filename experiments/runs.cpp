#include "experiments/runs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/json_number.hpp"

namespace tamis::experiments {
namespace {

bool matches(const Json& run, const Filter& filter) {
  return std::ranges::all_of(filter, [&](const auto& wanted) {
    const auto& [key, value] = wanted;
    if (run.contains(key)) return run[key] == value;
    return run["case"].contains(key) && run["case"][key] == value;
  });
}

}  // namespace

Statistics statistics(const std::vector<double>& values) {
  const auto n = Index(values.size());
  if (n == 0) return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / double(n);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, n > 1 ? std::sqrt(squares / double(n - 1)) : 0, n};
}

std::vector<const Json*> Runs::where(const Filter& filter) const {
  std::vector<const Json*> found;
  for (const Json& run : runs_)
    if (matches(run, filter)) found.push_back(&run);
  return found;
}

const Json* Runs::first(const Filter& filter) const {
  const auto found =
      std::ranges::find_if(runs_, [&](const Json& run) { return matches(run, filter); });
  return found == runs_.end() ? nullptr : &*found;
}

std::vector<std::string> Runs::labels(const Filter& filter) const {
  std::vector<std::string> found;
  for (const Json* run : where(filter)) {
    auto label = (*run)["label"].get<std::string>();
    if (std::ranges::find(found, label) == found.end()) found.push_back(std::move(label));
  }
  return found;
}

Statistics Runs::statistics(const std::string& measure, const Filter& filter) const {
  std::vector<double> values;
  for (const Json* run : where(filter))
    if (const double value = measure_of(*run, measure); std::isfinite(value))
      values.push_back(value);
  return experiments::statistics(values);
}

Curve Runs::curve(const std::string& name, const Filter& filter) const {
  const Json* run = first(filter);
  if (run == nullptr || !(*run)["curves"].contains(name)) return {};
  return curve_from((*run)["curves"][name]);
}

double measure_of(const Json& run, const std::string& measure) {
  if (measure == "seconds") return number_from(run["seconds"]);
  const Json& measures = run["measures"];
  return measures.contains(measure) ? number_from(measures[measure])
                                    : std::numeric_limits<double>::quiet_NaN();
}

Filter operator+(Filter base, const Filter& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

}  // namespace tamis::experiments
