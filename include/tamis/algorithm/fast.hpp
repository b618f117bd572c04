// `fast`: outliers eliminated, over-relaxed ADMM in K dimensions, coordinate descent for W.
#pragma once

#include <limits>
#include <string_view>

#include "tamis/algorithm/defaults.hpp"
#include "tamis/fields.hpp"

namespace tamis {

struct Fast {
  static constexpr std::string_view name = "fast";
  static constexpr std::string_view help =
      "our own: eliminates the outliers, a few iterations suffice";
  static constexpr bool whole = false;  // true: needs all samples at once
  static constexpr AlgorithmScope scope = {};

  Index iterations = 6;
  double tolerance = 0;
  Index sweeps = 2;
  double update_tolerance = 0;
  double rho = 0.1;
  double relaxation = 1.6;
  bool warm_start = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("iterations", self.iterations, at_least(1), "encoder iterations per mini-batch, at most");
    visit("tolerance", self.tolerance, at_least(0),
          "encoder accuracy at which a sample stops early; 0: never, but with missing entries 1e-3 "
          "and 200 iterations");
    visit("sweeps", self.sweeps, at_least(1), "coordinate sweeps over W per mini-batch, at most");
    visit("update_tolerance", self.update_tolerance, at_least(0),
          "relative change of W that ends the sweeps early");
    visit("rho", self.rho, above(0), "ADMM penalty in units of tr(WᵀW)/K");
    visit("relaxation", self.relaxation, between(1, 1.9), "over-relaxation");
    visit("warm_start", self.warm_start, any_value(),
          "begin with the codes of the sample before the mini-batch: for video and other streams "
          "in their order");
  }

  static AlgorithmDefaults defaults(std::optional<Index> /*N*/) {
    return {LambdaAuto{},
            std::numeric_limits<double>::infinity(),
            Ball{},
            64,
            ForgetPolynomial{},
            NormalizeNone{},
            true};
  }
};

}  // namespace tamis
