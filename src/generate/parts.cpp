#include "tamis/generate/parts.hpp"

#include <algorithm>
#include <utility>

#include "generate/draw.hpp"
#include "generate/require.hpp"
#include "tamis/generate/corrupt.hpp"

namespace tamis {
namespace {

void check(const PartsOptions& options) {
  require(options.K >= 1, "K", options.K, "at least 1");
  require(options.F >= options.K, "F", options.F, "at least K: every part needs a feature");
  require(options.N >= 1, "N", options.N, "at least 1");
  require(options.private_share > 0 && options.private_share <= 1, "private_share",
          options.private_share, "in (0, 1]");
  require_share("shared_density", options.shared_density);
  require_share("active", options.active);
}

// Entries in [½, 1], so that a part is clearly there or clearly not.
double present(RandomStream& random) { return 0.5 + 0.5 * random.uniform(); }

template <class T>
Matrix<T> draw_parts(const PartsOptions& options) {
  const Index F = options.F, K = options.K;
  const Index own = std::max<Index>(1, Index(options.private_share * double(F)) / K);
  Matrix<T> W = Matrix<T>::Zero(F, K);
  for (Index k = 0; k < K; ++k) {
    RandomStream random = data_stream(options.seed, DataPart::dictionary, k);
    for (Index i = k * own; i < (k + 1) * own; ++i) W(i, k) = T(present(random));
    for (Index i = K * own; i < F; ++i)
      if (random.uniform() < options.shared_density) W(i, k) = T(present(random));
  }
  return W;
}

}  // namespace

template <class T>
Planted<T> parts(const PartsOptions& options) {
  check(options);
  Planted<T> data;
  data.W = draw_parts<T>(options);
  data.H = draw<T>(options.K, options.N, options.seed, DataPart::codes, [&](RandomStream& random) {
    return random.uniform() < options.active ? present(random) : 0.0;
  });
  data.clean = data.W * data.H;
  const T top = data.clean.maxCoeff();
  if (top > 0) {
    data.H /= top;
    data.clean = (data.clean / top).cwiseMin(T(1)).eval();
  }
  auto [V, R] = corrupt<T>(data.clean, {.nu = options.nu,
                                        .nu_tilde = options.nu_tilde,
                                        .noise = options.noise,
                                        .seed = options.seed});
  data.V = std::move(V);
  data.R = std::move(R);
  return data;
}

template Planted<float> parts(const PartsOptions&);
template Planted<double> parts(const PartsOptions&);

}  // namespace tamis
