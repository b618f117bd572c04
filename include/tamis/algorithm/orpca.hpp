// `orpca`: online robust PCA (Feng, Xu, Yan 2013). A baseline: codes and atoms of any sign.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "tamis/algorithm/defaults.hpp"
#include "tamis/fields.hpp"

namespace tamis {

struct Orpca {
  static constexpr std::string_view name = "orpca";
  static constexpr std::string_view help = "baseline: online robust PCA, any sign";
  static constexpr bool whole = false;
  static constexpr AlgorithmScope scope = {.constraint = Unconstrained::name,
                                           .code_penalty = false,
                                           .dictionary_penalty = false,
                                           .signed_codes = true};

  double lambda1 = 1;
  double tolerance = 1e-6;
  Index iterations = 1000;
  bool unit_columns = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("lambda1", self.lambda1, above(0), "weight of ½‖h‖² and of ½‖W‖_F²/t, in units of 1/√F");
    visit("tolerance", self.tolerance, at_least(0),
          "change of codes and of outliers, relative to ‖v‖, that ends encoding a sample");
    visit("iterations", self.iterations, at_least(1), "encoder iterations, at most");
    visit("unit_columns", self.unit_columns, any_value(),
          "scale every atom to unit norm after its step");
  }

  // λ₁ for F features
  double code_ridge(Index F) const { return lambda1 / std::sqrt(double(F)); }
  // The λ₂ that is added to the penalty on W once samples of this weight have been seen
  double dictionary_ridge(Index F, double weight) const {
    return weight > 0 ? code_ridge(F) / weight : 0;
  }

  static AlgorithmDefaults defaults(std::optional<Index> N) {
    AlgorithmDefaults defaults = published_defaults(N);
    defaults.max_outlier = std::numeric_limits<double>::infinity();
    defaults.constraint = Unconstrained{};
    return defaults;
  }
};

}  // namespace tamis
