// λ of a training: its rule, and where it follows the noise that the residuals show.
#include <algorithm>
#include <cmath>
#include <limits>

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

// λ = c·σ̂, but never so small next to the data (rounding errors) that everything becomes an outlier
template <class T>
void Training<T>::set_lambda(double mean_square) {
  constexpr double smallest = 1e-5;
  const double rms = std::sqrt(mean_square / double(model.features()));
  model.lambda = std::max(lambda_weight(), smallest * rms);
}

#define TAMIS_INSTANTIATE(T)                               \
  template void Training<T>::find_first_noise_scale();     \
  template bool Training<T>::lambda_follows_noise() const; \
  template double Training<T>::lambda_weight() const;      \
  template void Training<T>::set_lambda(double mean_square);
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis
