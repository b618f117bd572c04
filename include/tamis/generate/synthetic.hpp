// The study's synthetic set (Zhao, Tan 2017, section VII-D).
#pragma once

#include <cstdint>
#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/generate/planted.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct SyntheticOptions {
  static constexpr std::string_view name = "synthetic";
  static constexpr std::string_view help = "The study's synthetic set, of a known dictionary";
  static constexpr bool has_factors = true;  // codes and a dictionary
  static constexpr bool has_masks = false;

  Index F = 400;          // features
  Index K = 49;           // true rank
  Index N = 1000;         // samples
  double nu = 0.7;        // share of the samples with outliers
  double nu_tilde = 0.1;  // share of the entries of such a sample
  double noise = 1;       // standard deviation; as large as the whole range of the data
  std::uint64_t seed = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("features", self.F, at_least(1), "entries of a sample");
    visit("rank", self.K, at_least(1), "atoms of the true dictionary");
    visit("samples", self.N, at_least(1), "how many");
    visit("nu", self.nu, between(0, 1), "share of the samples with outliers");
    visit("nu_tilde", self.nu_tilde, between(0, 1), "share of the entries of such a sample");
    visit("noise", self.noise, at_least(0), "standard deviation of the noise on every entry");
    visit("seed", self.seed, any_value(), "of the random numbers");
  }
};

// W°, H° i.i.d. half-normal with scale 1/√K, V° = clip(W°H°, 0, 1), then the contamination of
// corrupt.hpp. The study's text says *variance* 1/√K, which makes all of V° equal to 1.
template <class T>
Planted<T> synthetic(const SyntheticOptions& options = {});

}  // namespace tamis
