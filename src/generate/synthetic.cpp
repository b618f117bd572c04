#include "tamis/generate/synthetic.hpp"

#include <cmath>
#include <utility>

#include "generate/draw.hpp"
#include "generate/require.hpp"
#include "tamis/generate/corrupt.hpp"

namespace tamis {

template <class T>
Planted<T> synthetic(const SyntheticOptions& options) {
  const auto& [F, K, N, nu, nu_tilde, noise, seed] = options;
  require(F >= 1, "F", F, "at least 1");
  require(K >= 1, "K", K, "at least 1");
  require(N >= 1, "N", N, "at least 1");

  const double scale = 1 / std::sqrt(double(K));
  const auto half_normal = [&](RandomStream& random) { return scale * std::abs(random.normal()); };
  Planted<T> data;
  data.W = draw<T>(F, K, seed, DataPart::dictionary, half_normal);
  data.H = draw<T>(K, N, seed, DataPart::codes, half_normal);
  data.clean = (data.W * data.H).cwiseMin(T(1));
  auto [V, R] =
      corrupt<T>(data.clean, {.nu = nu, .nu_tilde = nu_tilde, .noise = noise, .seed = seed});
  data.V = std::move(V);
  data.R = std::move(R);
  return data;
}

template Planted<float> synthetic(const SyntheticOptions&);
template Planted<double> synthetic(const SyntheticOptions&);

}  // namespace tamis
