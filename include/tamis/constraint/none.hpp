// C = ℝ^F: atoms of any sign, as in robust PCA.
#pragma once

#include <string_view>

#include "tamis/types.hpp"

namespace tamis {

struct Unconstrained {
  static constexpr std::string_view name = "none";
  static constexpr std::string_view help = "any w";
  static constexpr bool nonnegative = false;
  static constexpr bool scale_free = false;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  bool bounded() const { return false; }

  template <class T>
  void project(VectorRef<T>) const {}

  template <class T>
  bool is_feasible(ConstVectorRef<T>, double) const {
    return true;
  }
};

}  // namespace tamis
