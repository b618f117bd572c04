#include "support/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "random/random.hpp"

namespace tamis::test {
namespace {

constexpr Index dictionary_stream = 0;
constexpr Index sample_stream = 1;

Matrix<double> make_dictionary(const SceneRecipe& recipe) {
  Matrix<double> W(recipe.features, recipe.rank);
  for (Index j = 0; j < recipe.rank; ++j) {
    RandomStream random(recipe.seed, Purpose::data, dictionary_stream, j);
    for (Index i = 0; i < recipe.features; ++i) {
      const double value = random.normal();
      W(i, j) = std::max(0.0, value);
    }
    W(j % recipe.features, j) += 0.5;  // no empty columns
    W.col(j).normalize();
  }
  return W;
}

}  // namespace

Scene make_scene(const SceneRecipe& recipe) { return make_scene(recipe, 0); }

Scene make_scene(const SceneRecipe& recipe, Index first) {
  Scene scene;
  scene.W = make_dictionary(recipe);
  scene.H.resize(recipe.rank, recipe.samples);
  scene.V.resize(recipe.features, recipe.samples);
  for (Index n = 0; n < recipe.samples; ++n) {
    RandomStream random(recipe.seed, Purpose::data, sample_stream, first + n);
    for (Index k = 0; k < recipe.rank; ++k) scene.H(k, n) = random.uniform();
    scene.V.col(n) = scene.W * scene.H.col(n);
    for (Index i = 0; i < recipe.features; ++i) {
      const double noise = recipe.noise * random.normal();
      const double chance = random.uniform();
      const double outlier = recipe.outlier_size * (2 * random.uniform() - 1);
      const double added = noise + (chance < recipe.outlier_share ? outlier : 0.0);
      scene.V(i, n) = std::max(0.0, scene.V(i, n) + added);
    }
  }
  scene.clean = scene.W * scene.H;
  return scene;
}

Scene baseline_scene(Index samples) {
  return make_scene({.features = 30,
                     .rank = 4,
                     .samples = samples,
                     .noise = 0.02,
                     .outlier_share = 0.1,
                     .outlier_size = 2,
                     .seed = 61});
}

bool low_effort() {
  const char* effort = std::getenv("TAMIS_TEST_EFFORT");
  return effort != nullptr && std::string_view(effort) == "small";
}

}  // namespace tamis::test
