// `onmf`: online NMF by robust stochastic approximation (Guan, Tao, Luo, Yuan 2012). A baseline:
// no outliers.
#pragma once

#include <limits>
#include <string_view>

#include "tamis/algorithm/defaults.hpp"
#include "tamis/fields.hpp"

namespace tamis {

struct Onmf {
  static constexpr std::string_view name = "onmf";
  static constexpr std::string_view help =
      "baseline: online NMF by robust stochastic approximation, no outliers";
  static constexpr bool whole = false;
  static constexpr AlgorithmScope scope = {.constraint = Simplex::name,
                                           .code_penalty = false,
                                           .dictionary_penalty = false,
                                           .outliers = false,
                                           .missing = false};

  Index buffer = 256;
  Index steps = 20;
  double theta = 0.01;
  double tolerance = 1e-6;
  Index iterations = 1000;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("buffer", self.buffer, at_least(1), "newest samples to draw from");
    visit("steps", self.steps, at_least(1), "gradient steps per mini-batch");
    visit("theta", self.theta, above(0), "factor θ of the step size");
    visit("tolerance", self.tolerance, at_least(0), "accuracy of the codes, relative");
    visit("iterations", self.iterations, at_least(1), "changes of a sample's active set, at most");
  }

  static AlgorithmDefaults defaults(std::optional<Index> N) {
    AlgorithmDefaults defaults = published_defaults(N);
    defaults.lambda = LambdaValue{std::numeric_limits<double>::infinity()};
    defaults.max_outlier = std::numeric_limits<double>::infinity();
    defaults.constraint = Simplex{};
    return defaults;
  }
};

}  // namespace tamis
