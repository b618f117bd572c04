// The finished runs of an experiment, to be asked.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "experiments/curves.hpp"

namespace tamis::experiments {

// What a run must have: one of its own fields, or one of its case. A field that it does not have
// does not match.
using Filter = std::vector<std::pair<std::string, Json>>;

struct Statistics {
  double mean;  // NaN if there is nothing
  double std;   // of a sample, N − 1; 0 of a single value
  Index n;
};
Statistics statistics(const std::vector<double>& values);

class Runs {
 public:
  explicit Runs(std::vector<Json> runs) : runs_(std::move(runs)) {}

  const std::vector<Json>& all() const { return runs_; }
  std::vector<const Json*> where(const Filter& filter) const;
  // The first one, or nullptr
  const Json* first(const Filter& filter) const;

  // Each once, in the order of the runs
  std::vector<std::string> labels(const Filter& filter = {}) const;

  // Of a measure, or of "seconds"; runs without it do not count.
  Statistics statistics(const std::string& measure, const Filter& filter) const;
  double mean(const std::string& measure, const Filter& filter) const {
    return statistics(measure, filter).mean;
  }
  // Of the first run; empty if there is none
  Curve curve(const std::string& name, const Filter& filter) const;

 private:
  std::vector<Json> runs_;
};

// NaN if it does not have it
double measure_of(const Json& run, const std::string& measure);

// `base` and more
Filter operator+(Filter base, const Filter& more);

}  // namespace tamis::experiments
