// `badmm`: batch ADMM (Zhao, Tan 2017, supplement).
#pragma once

#include <string_view>

#include "tamis/algorithm/defaults.hpp"
#include "tamis/algorithm/stopping.hpp"
#include "tamis/fields.hpp"

namespace tamis {

struct Badmm {
  static constexpr std::string_view name = "badmm";
  static constexpr std::string_view help = "published: batch ADMM";
  static constexpr bool whole = true;
  static constexpr AlgorithmScope scope = {};

  double rho1 = 1;
  double rho2 = 1;
  double rho3 = 1;
  BatchStopping stopping = {};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("rho1", self.rho1, above(0), "ADMM penalty of the codes");
    visit("rho2", self.rho2, above(0), "ADMM penalty of the outliers");
    visit("rho3", self.rho3, above(0), "ADMM penalty of the dictionary");
    BatchStopping::fields(self.stopping, visit);
  }

  static AlgorithmDefaults defaults(std::optional<Index> N) { return published_defaults(N); }
};

}  // namespace tamis
