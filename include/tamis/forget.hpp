// Registry of the forgetting rules. The statistics are weighted averages: with a mini-batch of
// total weight s, the old weight w becomes w' = βw + s and A ← (βwA + Σhhᵀ)/w', the same for B and
// c.
#pragma once

#include <cmath>
#include <string_view>
#include <variant>

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

// β = 1: the study's running average.
struct ForgetNothing {
  static constexpr std::string_view name = "none";
  static constexpr std::string_view help = "running average over all samples";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  double beta(Index /*batch*/, Index /*samples*/) const { return 1; }
};

// β = (1 − 1/b)^θ, b the number of the mini-batch: early, bad codes fade, the average still
// settles.
struct ForgetPolynomial {
  static constexpr std::string_view name = "poly";
  static constexpr std::string_view help = "early samples fade like a power of time";

  double theta = 4;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("theta", self.theta, at_least(0), "power θ; 0 is the running average");
  }

  double beta(Index batch, Index /*samples*/) const {
    return std::pow(1 - 1 / double(batch), theta);
  }
};

// β = γⁿ for n samples: a constant memory of 1/(1−γ) samples, for streams that drift.
struct ForgetDecay {
  static constexpr std::string_view name = "decay";
  static constexpr std::string_view help = "constant memory of 1/(1−γ) samples";

  double gamma = 0.999;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("gamma", self.gamma, above_up_to(0, 1), "what one sample leaves of the past");
  }

  double beta(Index /*batch*/, Index samples) const { return std::pow(gamma, double(samples)); }
};

using Forget = std::variant<ForgetNothing, ForgetPolynomial, ForgetDecay>;

}  // namespace tamis
