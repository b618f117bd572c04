// What the parts of the experiment on sensitivity share: which parameter takes which values.
#pragma once

#include <string>
#include <vector>

#include "experiments/cases.hpp"
#include "experiments/runs.hpp"
#include "experiments/summary.hpp"

namespace tamis::experiments {

struct Sweep {
  std::string name;   // of the parameter, as in a run's case
  std::string title;  // in words
  std::vector<std::string> algorithms;
  struct Value {
    std::string text;
    Variation variation;
  };
  std::vector<Value> values;  // the canonical one is among them, or is the data set's own
};
const std::vector<Sweep>& sweeps();
const Sweep& sweep_of(const std::string& name);

inline const std::vector<std::string> sensitivity_sets = {"synthetic", "cbcl"};

// The runs of the sweeps, found by what was varied.
class SweepRuns {
 public:
  explicit SweepRuns(const Runs& runs) : runs_(runs) {}

  // nullptr if there is none
  const Json* find(const std::string& set, const std::string& algorithm,
                   const Variation& variation) const;
  double measure(const std::string& name, const std::string& set, const std::string& algorithm,
                 const Variation& variation) const;
  // f̃ or f̂; empty if there is none
  Curve curve(const std::string& name, const std::string& set, const std::string& algorithm,
              const Variation& variation) const;
  Curve objective(const std::string& set, const std::string& algorithm,
                  const Variation& variation) const {
    return curve("objective", set, algorithm, variation);
  }
  const Runs& all() const { return runs_; }

 private:
  const Runs& runs_;
};

// A value that is the data set's own is no variation.
Variation canonical(const std::string& set, Variation variation);

void judge_sensitivity(const SweepRuns& runs, Summary& summary);

}  // namespace tamis::experiments
