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
};

struct NormalizeMax {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view help = "each sample scaled to unit maximum";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};

using Normalize = std::variant<NormalizeNone, NormalizeMax>;

}  // namespace tamis
