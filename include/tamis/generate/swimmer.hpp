// The Swimmer images (Donoho, Stodden 2003): a torso and four limbs, each in one of four positions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tamis/fields.hpp"
#include "tamis/generate/corrupt.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Swimmer {
  Index height = 32;
  Index width = 32;
  Matrix<T> images;          // 1024×256, 0 or 1; pixel (row, column) is entry row·width + column
  Matrix<T> limbs;           // 1024×16, atom 4·limb + position
  std::vector<Index> torso;  // entries that are 1 in every image
};

// All 4⁴ figures; figure n has limb l in position ⌊n/4ˡ⌋ mod 4. No two limbs or positions share a
// pixel. The torso is in every image, so that no method can tell which atom it belongs to: leave
// its entries out when atoms are compared.
template <class T>
Swimmer<T> swimmer();

// A stream of them for make_generator(): faint figures with black and white pixels, as in the demo.
struct SwimmerOptions {
  static constexpr std::string_view name = "swimmer";
  static constexpr std::string_view help = "The 256 Swimmer figures, of known limbs";
  static constexpr bool has_factors = true;  // codes and a dictionary
  static constexpr bool has_masks = false;

  Index copies = 20;      // of each of the 256 figures, in random order
  double contrast = 0.3;  // how dark a figure is
  double nu = 1;          // share of the samples with outliers
  double nu_tilde = 0.2;  // share of the pixels of such a sample
  double noise = 0.02;    // standard deviation
  OutlierKind kind = OutlierKind::salt_and_pepper;
  std::uint64_t seed = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("copies", self.copies, between(1, 0x1p53), "of each of the 256 figures, in random order");
    visit("contrast", self.contrast, above_up_to(0, 1), "how dark a figure is");
    visit("nu", self.nu, between(0, 1), "share of the samples with outliers");
    visit("nu_tilde", self.nu_tilde, between(0, 1), "share of the pixels of such a sample");
    visit("noise", self.noise, at_least(0), "standard deviation of the noise on every pixel");
    visit("kind", self.kind, any_value(), "what an outlier is: added, or black or white");
    visit("seed", self.seed, any_value(), "of the random numbers");
  }
};

// `copies` of every column, in random order.
template <class T>
Matrix<T> replicate(ConstMatrixRef<T> V, Index copies, std::uint64_t seed = 0);

}  // namespace tamis
