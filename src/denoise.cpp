#include "tamis/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace tamis {
namespace {

constexpr double sigmas = 3;
constexpr double median_of_normal = 0.6745;  // of |x|, x ~ N(0, 1)

// What the model divides this sample by
template <class T>
T divisor(const Model<T>& model, ConstVectorRef<T> v) {
  T largest = 0;
  for (Index i = 0; i < v.size(); ++i)
    if (!std::isnan(v[i])) largest = std::max(largest, std::abs(v[i]));
  return std::visit([&](const auto& rule) { return rule.divisor(largest); },
                    model.settings.normalize.value());
}

double median_of(std::span<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The noise scale of residuals of which some are gross errors: from the median of those within 3σ,
// again and again.
double clipped_scale(std::vector<double>& residuals) {
  double sigma = median_of(residuals) / median_of_normal;
  for (int round = 0; round < 10; ++round) {
    const auto beyond = std::partition(residuals.begin(), residuals.end(),
                                       [&](double e) { return e <= sigmas * sigma; });
    const std::span within(residuals.begin(), beyond);
    if (within.empty()) break;
    sigma = median_of(within) / median_of_normal;
  }
  return sigma;
}

// Where an entry is as likely a gross error as not: their density is that far out (5σ to 10σ), and
// coming from there the density of all residuals becomes twice as high. Without any it is 5σ.
double crossing(std::vector<double>& residuals) {
  constexpr int bins_per_sigma = 8;
  constexpr int tail = 5;  // σ, as wide as it is far
  const double width = clipped_scale(residuals) / bins_per_sigma;
  if (!(width > 0)) return 0;
  std::vector<double> counts(2 * tail * bins_per_sigma, 0.0);
  for (const double e : residuals)
    if (const double bin = e / width; bin < double(counts.size())) ++counts[std::size_t(bin)];
  const auto end = counts.begin() + tail * bins_per_sigma;
  const double gross = std::accumulate(end, counts.end(), 0.0) / (tail * bins_per_sigma);
  auto bin = end;
  while (bin != counts.begin() && *std::prev(bin) < 2 * gross) --bin;
  return width * double(bin - counts.begin());
}

}  // namespace

template <class T>
std::optional<double> inlier_threshold(const Model<T>& model, ConstMatrixRef<T> V,
                                       const Encoding<T>& encoding) {
  constexpr std::size_t enough = 100000;  // residuals to know their density from
  const Matrix<T> P = model.reconstruct(encoding.H);
  std::vector<double> residuals;
  for (Index j = 0; j < V.cols(); ++j) {
    const T scale = divisor<T>(model, V.col(j));
    for (Index i = 0; i < V.rows(); ++i) {
      const auto residual = double(std::abs(V(i, j) - P(i, j)) / scale);
      if (residual > 0) residuals.push_back(residual);  // NaN is missing
    }
  }
  if (residuals.empty()) return {};
  if (residuals.size() < enough)
    return sigmas * (model.sigma > 0 ? model.sigma : median_of(residuals) / median_of_normal);
  return crossing(residuals);
}

template <class T>
Matrix<T> denoise(const Model<T>& model, ConstMatrixRef<T> V, const Encoding<T>& encoding,
                  double threshold, ThresholdUnit unit) {
  const bool scaled = unit == ThresholdUnit::scaled;
  Matrix<T> result = model.reconstruct(encoding.H);
  for (Index j = 0; j < V.cols(); ++j) {
    const T most = T(threshold) * (scaled ? divisor<T>(model, V.col(j)) : T(1));
    for (Index i = 0; i < V.rows(); ++i)
      if (std::abs(V(i, j) - result(i, j)) <= most) result(i, j) = V(i, j);  // NaN is not
  }
  return result;
}

template std::optional<double> inlier_threshold(const Model<float>&, ConstMatrixRef<float>,
                                                const Encoding<float>&);
template std::optional<double> inlier_threshold(const Model<double>&, ConstMatrixRef<double>,
                                                const Encoding<double>&);
template Matrix<float> denoise(const Model<float>&, ConstMatrixRef<float>, const Encoding<float>&,
                               double, ThresholdUnit);
template Matrix<double> denoise(const Model<double>&, ConstMatrixRef<double>,
                                const Encoding<double>&, double, ThresholdUnit);

}  // namespace tamis
