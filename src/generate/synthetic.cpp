#include "tamis/generate/synthetic.hpp"

#include <cmath>
#include <utility>

#include "generate/draw.hpp"
#include "generate/options.hpp"
#include "generate/require.hpp"
#include "generate/shape.hpp"
#include "generate/synthetic_generator.hpp"

namespace tamis {
namespace {

const SyntheticOptions& checked(const SyntheticOptions& options) {
  constexpr Index most = Index(1) << 28;  // what can be read, see formats.hpp
  check_options(options);
  require(options.F <= most, "features", options.F, "at most 268435456");
  require(options.K <= most, "rank", options.K, "at most 268435456");
  return options;
}

template <class T>
void draw_half_normal(VectorRef<T> x, double scale, RandomStream random) {
  for (Index i = 0; i < x.size(); ++i) x[i] = T(scale * std::abs(random.normal()));
}

}  // namespace

template <class T>
SyntheticGenerator<T>::SyntheticGenerator(const SyntheticOptions& options)
    : options_(checked(options)),
      format_{.shape = {options.F}, .type = element_type<T>()},
      contamination_({.nu = options.nu,
                      .nu_tilde = options.nu_tilde,
                      .noise = options.noise,
                      .seed = options.seed},
                     options.N),
      W_(options.F, options.K) {
  for (Index k = 0; k < options.K; ++k)
    draw_half_normal<T>(W_.col(k), 1 / std::sqrt(double(options.K)),
                        data_stream(options.seed, DataPart::dictionary, k));
}

template <class T>
void SyntheticGenerator<T>::make(Index first, Index n, Generated<T>& out) {
  resize_samples(out, options_.F, n);
  out.codes.resize(options_.K, n);
  for (Index j = 0; j < n; ++j) {
    draw_half_normal<T>(out.codes.col(j), 1 / std::sqrt(double(options_.K)),
                        data_stream(options_.seed, DataPart::codes, first + j));
    // One by one: the bits of a product with a matrix would depend on how many are made together.
    out.clean.col(j).noalias() = W_ * out.codes.col(j);
    out.clean.col(j) = out.clean.col(j).cwiseMin(T(1));
    contamination_.apply<T>(first + j, out.clean.col(j), out.V.col(j), out.outliers.col(j));
  }
}

template <class T>
Planted<T> synthetic(const SyntheticOptions& options) {
  SyntheticGenerator<T> generator(options);
  Generated<T> data;
  generator.make(0, options.N, data);
  return {std::move(data.V), std::move(data.clean), std::move(data.outliers),
          generator.dictionary(), std::move(data.codes)};
}

template class SyntheticGenerator<float>;
template class SyntheticGenerator<double>;
template Planted<float> synthetic(const SyntheticOptions&);
template Planted<double> synthetic(const SyntheticOptions&);

}  // namespace tamis
