// `bpgd`: batch projected gradient descent (Zhao, Tan 2017, supplement).
#pragma once

#include <string_view>

#include "tamis/algorithm/defaults.hpp"
#include "tamis/algorithm/stopping.hpp"
#include "tamis/fields.hpp"

namespace tamis {

struct Bpgd {
  static constexpr std::string_view name = "bpgd";
  static constexpr std::string_view help = "published: batch projected gradient descent";
  static constexpr bool whole = true;
  static constexpr AlgorithmScope scope = {};

  double kappa_h = 0.7;
  double kappa_w = 0.7;
  BatchStopping stopping = {};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("kappa_h", self.kappa_h, above_up_to(0, 1), "step of the codes in units of 1/‖W‖₂²");
    visit("kappa_w", self.kappa_w, above_up_to(0, 1), "step of the dictionary in units of 1/‖A‖_F");
    BatchStopping::fields(self.stopping, visit);
  }

  static AlgorithmDefaults defaults(std::optional<Index> N) { return published_defaults(N); }
};

}  // namespace tamis
