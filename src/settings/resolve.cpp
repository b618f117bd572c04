#include "tamis/settings.hpp"

namespace tamis {
namespace {

template <class T>
void fill(std::optional<T>& field, const T& value) {
  if (!field) field = value;
}

}  // namespace

Settings Settings::resolved(std::optional<Index> N) const {
  Settings result = *this;
  std::visit(
      [&]<class Chosen>(const Chosen&) {
        const AlgorithmDefaults defaults = Chosen::defaults(N);
        fill(result.lambda, defaults.lambda);
        fill(result.max_outlier, defaults.max_outlier);
        fill(result.constraint, defaults.constraint);
        fill(result.batch_size, defaults.batch_size);
        fill(result.forget, defaults.forget);
        fill(result.normalize, defaults.normalize);
        fill(result.reseed, defaults.reseed);
        if (Chosen::whole) result.batch_size = N;  // there are no mini-batches to choose a size for
      },
      algorithm);
  return result;
}

}  // namespace tamis
