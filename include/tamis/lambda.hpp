// Registry of the ways to set the outlier penalty's weight λ.
#pragma once

#include <cmath>
#include <string_view>
#include <variant>

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

// λ = c·σ̂ with σ̂ a running robust scale of v − Wh: a Huber threshold that follows the noise.
struct LambdaAuto {
  static constexpr std::string_view name = "auto";
  static constexpr std::string_view help = "c times the running noise scale";

  static constexpr bool follows_noise = true;

  double c = 1.345;  // Huber's constant: 95 % efficiency for Gaussian noise

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("c", self.c, above(0), "threshold in units of the noise's standard deviation");
  }

  // λ for F features and noise scale σ̂
  double weight(Index /*F*/, double sigma) const { return c * sigma; }
};

// λ = 1/√F, the study's choice.
struct LambdaPaper {
  static constexpr std::string_view name = "paper";
  static constexpr std::string_view help = "1/√F";
  static constexpr bool follows_noise = false;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  double weight(Index F, double /*sigma*/) const { return 1 / std::sqrt(double(F)); }
};

struct LambdaValue {
  static constexpr std::string_view name = "value";
  static constexpr std::string_view help = "a number; inf switches the outlier term off";
  static constexpr bool bare_number = true;  // written as 0.1, not as value:0.1
  static constexpr bool follows_noise = false;

  double value = 0.1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("value", self.value, or_infinite(at_least(0)), "λ itself");
  }

  double weight(Index /*F*/, double /*sigma*/) const { return value; }
};

using Lambda = std::variant<LambdaAuto, LambdaPaper, LambdaValue>;

}  // namespace tamis
