#include "reference/textbook.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "random/random.hpp"

namespace tamis::textbook {

Settings Numbers::settings(const Algorithm& algorithm) const {
  Settings s;
  s.rank = K;
  s.algorithm = algorithm;
  s.lambda = LambdaValue{lambda};
  s.max_outlier = M;
  s.nonneg_outliers = nonneg_outliers;
  if (outlier_l2 > 0) s.outlier_penalty = ElasticOutliers{outlier_l2};
  if (code_l1 > 0) s.code_penalty = Lasso{code_l1};
  if (code_l2 > 0) s.code_penalty = Tikhonov{code_l2};
  s.dictionary_penalty = {dictionary_l1, dictionary_l2};
  if (set == Set::nonneg) s.constraint = NonNegative{};
  if (set == Set::simplex) s.constraint = Simplex{};
  if (set == Set::none) s.constraint = Unconstrained{};
  if (fading == Fading::none) s.forget = ForgetNothing{};
  if (fading == Fading::poly) s.forget = ForgetPolynomial{fading_parameter};
  if (fading == Fading::decay) s.forget = ForgetDecay{fading_parameter};
  if (scale_to_unit_maximum) {
    s.normalize = NormalizeMax{};
  } else {
    s.normalize = NormalizeNone{};
  }
  s.reseed = false;
  s.batch_size = tau;
  s.epochs = epochs;
  s.seed = seed;
  s.threads = 1;
  return s;
}

Mat initial_dictionary(const Numbers& numbers, Index F) {
  Mat W(F, numbers.K);
  for (Index j = 0; j < numbers.K; ++j) {
    RandomStream random(numbers.seed, Purpose::dictionary, 0, j);
    for (Index i = 0; i < F; ++i) W(i, j) = random.uniform();
  }
  // Scaled, not projected: nearly all entries would be 0.
  if (numbers.set == Set::simplex) W.array().rowwise() /= W.colwise().sum().array();
  return project(numbers.set, W);
}

Vec initial_code(const Numbers& numbers, Index epoch, Index sample) {
  RandomStream random(numbers.seed, Purpose::codes, epoch, sample);
  Vec h(numbers.K);
  for (Index k = 0; k < numbers.K; ++k) h[k] = random.uniform();
  return h;
}

Vec initial_outlier(const Numbers& numbers, Index F, Index epoch, Index sample) {
  RandomStream random(numbers.seed, Purpose::outliers, epoch, sample);
  Vec r(F);
  for (Index i = 0; i < F; ++i) r[i] = random.uniform();
  return project_outlier(numbers, r);
}

Vec project_column(Set set, Vec y) {
  if (set == Set::none) return y;
  if (set != Set::simplex) {
    y = y.cwiseMax(0.0);
    return set == Set::ball ? Vec(y / std::max(1.0, y.norm())) : y;
  }
  // Duchi et al. 2008: sort, find how many entries stay positive, subtract the common threshold.
  std::vector<double> sorted(y.begin(), y.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double threshold = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1) / double(k + 1);
    if (sorted[k] > candidate) threshold = candidate;
  }
  return (y.array() - threshold).max(0.0);
}

Mat project(Set set, Mat Y) {
  for (Index j = 0; j < Y.cols(); ++j) Y.col(j) = project_column(set, Y.col(j));
  return Y;
}

Vec project_outlier(const Numbers& numbers, Vec x) {
  const double low = numbers.nonneg_outliers ? 0 : -numbers.M;
  for (double& entry : x) entry = std::clamp(entry, low, numbers.M);
  return x;
}

Vec soft_threshold(Vec x, double t) {
  for (double& entry : x) {
    entry = entry > t ? entry - t : (entry < -t ? entry + t : 0.0);
  }
  return x;
}

Vec shrink_outlier(const Numbers& numbers, const Vec& e) {
  return project_outlier(numbers, soft_threshold(e, numbers.lambda) / (1 + numbers.outlier_l2));
}

Vec prox_code(const Numbers& numbers, Vec x, double t) {
  for (double& entry : x) {
    entry = std::max(0.0, entry - t * numbers.code_l1) / (1 + t * numbers.code_l2);
  }
  return x;
}

double outlier_penalty(const Numbers& numbers, const Vec& r) {
  return numbers.lambda * r.cwiseAbs().sum() + numbers.outlier_l2 / 2 * r.squaredNorm();
}

double code_penalty(const Numbers& numbers, const Vec& h) {
  return numbers.code_l1 * h.sum() + numbers.code_l2 / 2 * h.squaredNorm();
}

double sample_scale(const Numbers& numbers, const Vec& v) {
  return numbers.scale_to_unit_maximum ? v.maxCoeff() : 1.0;
}

double squared_spectral_norm(const Mat& W) {
  const double norm = Eigen::JacobiSVD<Mat>(W).singularValues()[0];
  return norm * norm;
}

}  // namespace tamis::textbook
