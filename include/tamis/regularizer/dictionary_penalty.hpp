// λ₁‖W‖₁,₁ + λ₂/2‖W‖_F², the elastic net on the dictionary.
#pragma once

#include "tamis/fields.hpp"

namespace tamis {

struct DictionaryPenalty {
  double l1 = 0;
  double l2 = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("l1", self.l1, at_least(0), "weight λ₁ of ‖W‖₁,₁");
    visit("l2", self.l2, at_least(0), "weight λ₂ of ‖W‖_F²/2");
  }

  bool active() const { return l1 > 0 || l2 > 0; }
};

}  // namespace tamis
