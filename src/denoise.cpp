#include "tamis/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

}  // namespace

template <class T>
double inlier_threshold(const Model<T>& model, ConstMatrixRef<T> V, const Encoding<T>& encoding) {
  if (model.sigma > 0) return sigmas * model.sigma;
  const Matrix<T> P = model.reconstruct(encoding.H);
  std::vector<double> residuals;
  for (Index j = 0; j < V.cols(); ++j) {
    const T scale = divisor<T>(model, V.col(j));
    for (Index i = 0; i < V.rows(); ++i)
      if (!std::isnan(V(i, j))) residuals.push_back(double(std::abs(V(i, j) - P(i, j)) / scale));
  }
  if (residuals.empty()) return std::numeric_limits<double>::infinity();
  const auto middle = residuals.begin() + std::ptrdiff_t(residuals.size() / 2);
  std::ranges::nth_element(residuals, middle);
  return sigmas * *middle / median_of_normal;
}

template <class T>
Matrix<T> denoise(const Model<T>& model, ConstMatrixRef<T> V, const Encoding<T>& encoding,
                  double threshold) {
  Matrix<T> result = model.reconstruct(encoding.H);
  for (Index j = 0; j < V.cols(); ++j) {
    const T most = T(threshold) * divisor<T>(model, V.col(j));
    for (Index i = 0; i < V.rows(); ++i)
      if (std::abs(V(i, j) - result(i, j)) <= most) result(i, j) = V(i, j);  // NaN is not
  }
  return result;
}

template double inlier_threshold(const Model<float>&, ConstMatrixRef<float>,
                                 const Encoding<float>&);
template double inlier_threshold(const Model<double>&, ConstMatrixRef<double>,
                                 const Encoding<double>&);
template Matrix<float> denoise(const Model<float>&, ConstMatrixRef<float>, const Encoding<float>&,
                               double);
template Matrix<double> denoise(const Model<double>&, ConstMatrixRef<double>,
                                const Encoding<double>&, double);

}  // namespace tamis
