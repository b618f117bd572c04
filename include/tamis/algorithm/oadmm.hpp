// `oadmm`: online ADMM (Zhao, Tan 2017, section IV-B).
#pragma once

#include <string_view>

#include "tamis/algorithm/defaults.hpp"
#include "tamis/algorithm/stopping.hpp"
#include "tamis/fields.hpp"

namespace tamis {

struct Oadmm {
  static constexpr std::string_view name = "oadmm";
  static constexpr std::string_view help = "published: online ADMM";
  static constexpr bool whole = false;
  static constexpr AlgorithmScope scope = {};

  double rho1 = 1;
  double rho2 = 1;
  double rho3 = 1;
  OnlineStopping stopping = {};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("rho1", self.rho1, above(0), "ADMM penalty of the codes");
    visit("rho2", self.rho2, above(0), "ADMM penalty of the outliers");
    visit("rho3", self.rho3, above(0), "ADMM penalty of the dictionary");
    OnlineStopping::fields(self.stopping, visit);
  }

  static AlgorithmDefaults defaults(std::optional<Index> N) { return published_defaults(N); }
};

}  // namespace tamis
