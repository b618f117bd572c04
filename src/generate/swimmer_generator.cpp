#include "generate/swimmer_generator.hpp"

#include "generate/draw.hpp"
#include "generate/options.hpp"
#include "generate/shape.hpp"

namespace tamis {
namespace {

const SwimmerOptions& checked(const SwimmerOptions& options) {
  check_options(options);
  return options;
}

}  // namespace

template <class T>
SwimmerGenerator<T>::SwimmerGenerator(const SwimmerOptions& options)
    : options_(checked(options)),
      figures_(swimmer<T>()),
      samples_(figures_.images.cols() * options.copies),
      format_{.shape = {figures_.height, figures_.width}, .type = element_type<T>()},
      order_(data_order(samples_, options.seed, DataPart::shuffle)),
      contamination_({.nu = options.nu,
                      .nu_tilde = options.nu_tilde,
                      .noise = options.noise,
                      .kind = options.kind,
                      .seed = options.seed},
                     samples_) {}

template <class T>
void SwimmerGenerator<T>::make(Index first, Index n, Generated<T>& out) {
  constexpr Index positions = 4;
  resize_samples(out, format_.features(), n);
  out.codes.setZero(rank(), n);
  for (Index j = 0; j < n; ++j) {
    const Index figure = order_(first + j) % figures_.images.cols();
    out.clean.col(j) = T(options_.contrast) * figures_.images.col(figure);
    Index rest = figure;
    for (Index limb = 0; limb < rank() / positions; ++limb, rest /= positions)
      out.codes(positions * limb + rest % positions, j) = T(options_.contrast);
    contamination_.apply<T>(first + j, out.clean.col(j), out.V.col(j), out.outliers.col(j));
  }
}

template class SwimmerGenerator<float>;
template class SwimmerGenerator<double>;

}  // namespace tamis
