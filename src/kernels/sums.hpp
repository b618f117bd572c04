#pragma once

namespace tamis::kernels {

// What a sample's loss is made of, summed over some of its rows.
struct Sums {
  double fit = 0;         // Σ (y − p)²
  double energy = 0;      // Σ y²
  double magnitudes = 0;  // Σ |r|
  double squares = 0;     // Σ r²

  void add(const Sums& other) {
    fit += other.fit;
    energy += other.energy;
    magnitudes += other.magnitudes;
    squares += other.squares;
  }
};

}  // namespace tamis::kernels
