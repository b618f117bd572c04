// Small synthetic data with known parts: V = WH + R + noise, everything i.i.d. over samples.
#pragma once

#include <cstdint>

#include "tamis/types.hpp"

namespace tamis::test {

struct SceneRecipe {
  Index features = 20;
  Index rank = 4;
  Index samples = 100;
  double noise = 0.01;          // standard deviation
  double outlier_share = 0.05;  // of the entries
  double outlier_size = 1;      // outliers are uniform on [−size, size]
  std::uint64_t seed = 1;
};

struct Scene {
  Matrix<double> W;      // F×K, about half of the entries are 0, columns of unit norm
  Matrix<double> H;      // K×N
  Matrix<double> clean;  // WH
  Matrix<double> V;      // noise and outliers added, clipped at 0
};

// A longer scene with the same seed and shape begins with the samples of a shorter one.
Scene make_scene(const SceneRecipe& recipe);

// The same scene's samples `first` … `first + samples − 1`: fresh data for the same W.
Scene make_scene(const SceneRecipe& recipe, Index first);

// The scene of the baselines' tests: large outliers, noise, 30 features of 4 parts.
Scene baseline_scene(Index samples = 96);

// Sanitizer builds set TAMIS_TEST_EFFORT=small: everything is ten times slower there.
bool low_effort();

}  // namespace tamis::test
