// When the published online solvers stop.
#pragma once

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct OnlineStopping {
  double tolerance = 1e-3;
  Index iterations = 50;
  double update_tolerance = 1e-4;
  Index update_iterations = 200;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, at_least(0),
          "relative change of the loss that ends encoding a sample");
    visit("iterations", self.iterations, at_least(1), "encoder iterations, at most");
    visit("update_tolerance", self.update_tolerance, at_least(0),
          "relative change of p(W) that ends the update");
    visit("update_iterations", self.update_iterations, at_least(1),
          "iterations of the update, at most");
  }
};

struct BatchStopping {
  double tolerance = 1e-4;
  Index iterations = 500;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, at_least(0),
          "relative change of the objective that ends the fit");
    visit("iterations", self.iterations, at_least(1), "passes over the data, at most");
  }
};

}  // namespace tamis
