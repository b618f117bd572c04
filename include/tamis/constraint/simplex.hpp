// C = {w ≥ 0, ‖w‖₁ = 1}. P_C(y) = (y − θ)₊ with θ such that the sum is 1.
//
// θ by Michelot's method (1986): take the mean excess over the entries still above θ and repeat;
// the set of such entries only shrinks, so it ends after at most F passes, in practice a handful,
// and needs no sorted copy. An entry equal to θ may come back by rounding; either way is right
// then.
#pragma once

#include <cmath>
#include <string_view>

#include "tamis/types.hpp"

namespace tamis {

struct Simplex {
  static constexpr std::string_view name = "simplex";
  static constexpr std::string_view help = "w ≥ 0, ‖w‖₁ = 1";
  static constexpr bool nonnegative = true;
  static constexpr bool scale_free = false;

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  bool bounded() const { return true; }

  template <class T>
  void project(VectorRef<T> w) const {
    // The projection does not change when a constant is added to y; near 0 the sums keep their
    // digits.
    w.array() -= w.maxCoeff();
    double theta = (w.template cast<double>().sum() - 1) / double(w.size());
    Index above = w.size();
    for (;;) {
      double sum = 0;
      Index count = 0;
      for (Index i = 0; i < w.size(); ++i) {
        if (double(w[i]) > theta) {
          sum += double(w[i]);
          ++count;
        }
      }
      if (count >= above) break;
      above = count;
      theta = (sum - 1) / double(count);
    }
    w = (w.array() - T(theta)).max(T(0));
  }

  template <class T>
  bool is_feasible(ConstVectorRef<T> w, double tolerance) const {
    return w.minCoeff() >= -tolerance && std::abs(w.template cast<double>().sum() - 1) <= tolerance;
  }
};

}  // namespace tamis
