// Registry of the ways to scale a sample before it is used. Codes and outliers return to input
// units.
#pragma once

#include <string_view>
#include <variant>

namespace tamis {

struct NormalizeNone {
  static constexpr std::string_view name = "none";
  static constexpr std::string_view help = "samples as they are";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  // What a sample whose largest magnitude this is gets divided by
  template <class T>
  T divisor(T /*largest*/) const {
    return 1;
  }
};

struct NormalizeMax {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view help = "each sample scaled to unit maximum";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  template <class T>
  T divisor(T largest) const {
    return largest > 0 ? largest : T(1);
  }
};

using Normalize = std::variant<NormalizeNone, NormalizeMax>;

}  // namespace tamis
