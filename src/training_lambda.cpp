// λ of a training: its rule, and where it follows the noise that the residuals show.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "prepare.hpp"
#include "tamis/error.hpp"
#include "training.hpp"

namespace tamis {

// From a least-squares encode of the first mini-batch: with λ = ∞ there are no outliers.
template <class T>
void Training<T>::find_first_noise_scale() {
  batch_.count_residuals = true;
  batch_.resize_results(model.rank());
  FastAlgorithm<T> least_squares(Fast{}, model.settings);
  least_squares.encode(model.W, Problem<T>(model.settings, std::numeric_limits<double>::infinity()),
                       executor_, batch_);
  increment_.accumulate(batch_, executor_);
  ranks_.all_reduce(increment_.values());
  model.sigma = noise_scale(increment_.residual_counts());
  set_lambda(2 * increment_.mean_constant());
}

template <class T>
bool Training<T>::lambda_follows_noise() const {
  return std::visit([](const auto& rule) { return rule.follows_noise; },
                    model.settings.lambda.value());
}

template <class T>
double Training<T>::lambda_weight() const {
  return std::visit([&](const auto& rule) { return rule.weight(model.features(), model.sigma); },
                    model.settings.lambda.value());
}

// λ = c·σ̂, but never so small next to the data (rounding errors) that everything becomes an
// outlier. Where nothing was seen but zeros, or nothing that counts, it is unknown still, and ∞.
template <class T>
void Training<T>::set_lambda(double mean_square) {
  constexpr double smallest = 1e-5;
  const double rms = std::sqrt(mean_square / double(model.features()));
  const double lambda = std::max(lambda_weight(), smallest * rms);
  model.lambda = lambda > 0 ? lambda : std::numeric_limits<double>::infinity();
}

template <class T>
bool Training<T>::lambda_unknown() const {
  return lambda_follows_noise() && std::isinf(model.lambda);
}

// Residuals are counted in bins of single precision; the noise may be far smaller than the data.
template <class T>
void Training<T>::refuse_unmeasurable() const {
  constexpr double least = 1e-33, most = 1e37;
  const double largest = largest_entry(batch_);
  if (!lambda_follows_noise() || largest == 0 || (largest >= least && largest <= most)) return;
  throw DataError(
      fmt::format("the largest entry of sample {} and those with it is {:.3g}: the noise of such "
                  "data cannot be "
                  "measured; scale them (the setting normalize max does), or give lambda a number",
                  batch_.number(0), largest));
}

#define TAMIS_INSTANTIATE(T)                               \
  template void Training<T>::find_first_noise_scale();     \
  template bool Training<T>::lambda_follows_noise() const; \
  template bool Training<T>::lambda_unknown() const;       \
  template void Training<T>::refuse_unmeasurable() const;  \
  template double Training<T>::lambda_weight() const;      \
  template void Training<T>::set_lambda(double mean_square);
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis
