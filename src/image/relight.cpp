// Without cast shadows, pictures of an object under changing light are near a cone of few
// dimensions (R. Basri, D. Jacobs, IEEE TPAMI 25(2), 2003): Wh with K atoms, K about 5. Shadows are
// what is missing from it, so they are outliers; but those of many pictures that are lit from the
// side resemble each other, and a dictionary started at random or with many atoms learns them too.
// So:
//
//   pictures are scaled to unit maximum; the brighter half has the fewest shadows: W is learned
//   from it alone, started from K of these pictures, bright ones that differ
//   repeat twice:  W, H ← robust fit, H for all pictures;  x = Wh
//                  what is darker than 0.6·x or brighter than x + 0.25 is missing from now on
//   result:        v where v ≥ 0.8·x, x where v ≤ 0.6·x, and in between from one to the other;
//                  the borders of shadows are soft, so what is replaced is widened and blurred a
//                  little
//
// The rule is not symmetric, because shadows only darken: what is brighter (glints) does not enter
// the dictionary, but stays in the picture. More rounds make it worse: where all is missing,
// nothing holds x down.
#include "tamis/image/relight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

#include "random/permutation.hpp"
#include "tamis/error.hpp"
#include "tamis/trainer.hpp"

namespace tamis {
namespace {

constexpr int rounds = 3;             // of fits; before all but the first shadows are taken out
constexpr double in_shadow = 0.6;     // times x, at most
constexpr double lit = 0.8;           // times x, at least
constexpr double glint = 0.25;        // of white, above x
constexpr double darkest = 2 / 255.;  // x: where there is no light, there is no shadow

template <class T>
constexpr T not_known = std::numeric_limits<T>::quiet_NaN();

// The largest entry that is known; 1 for a black picture
template <class T>
Vector<T> scales_of(ConstMatrixRef<T> V) {
  Vector<T> scales = Vector<T>::Ones(V.cols());
  for (Index j = 0; j < V.cols(); ++j) {
    T largest = 0;
    for (Index i = 0; i < V.rows(); ++i)
      if (V(i, j) > largest) largest = V(i, j);
    if (largest > 0) scales[j] = largest;
  }
  return scales;
}

template <class T>
Matrix<T> zero_if_missing(const Matrix<T>& V) {
  return V.array().isNaN().select(T(0), V);
}

// K pictures to begin with: the brightest, then again and again the one that is brightest and most
// different from those chosen, by the cosine.
template <class T>
std::vector<Index> start_of(const Matrix<T>& V, const std::vector<Index>& candidates, Index K) {
  Matrix<T> U = zero_if_missing<T>(V)(Eigen::all, candidates);
  const Vector<T> brightness = U.colwise().mean();
  U.colwise().normalize();
  Vector<T> nearest = Vector<T>::Zero(U.cols());  // cosine to the nearest of those chosen
  std::vector<Index> chosen;
  while (Index(chosen.size()) < K) {
    Index best = 0;
    ((T(1) - nearest.array()) * brightness.array().square()).maxCoeff(&best);
    chosen.push_back(candidates[std::size_t(best)]);
    nearest = nearest.cwiseMax(U.transpose() * U.col(best));
    nearest[best] = 1 + std::numeric_limits<T>::epsilon();  // never again
  }
  return chosen;
}

// Those to learn from, K to begin with in front, the others in random order
template <class T>
std::vector<Index> learned_from(const Matrix<T>& V, const Settings& settings, Index K) {
  std::vector<Index> bright(std::size_t(V.cols()));
  std::iota(bright.begin(), bright.end(), Index(0));
  const Vector<T> brightness = zero_if_missing<T>(V).colwise().mean();
  std::ranges::stable_sort(bright, std::greater<>(), [&](Index j) { return brightness[j]; });
  const Index enough = std::min(V.cols(), std::max(2 * K, (V.cols() + 1) / 2));
  bright.resize(std::size_t(enough));
  std::vector<Index> order = start_of(V, bright, K);
  const Permutation shuffled(enough, settings.seed, Purpose::data);
  for (Index i = 0; i < enough; ++i) {
    const Index j = bright[std::size_t(shuffled(i))];
    if (std::find(order.begin(), order.begin() + K, j) == order.begin() + K) order.push_back(j);
  }
  return order;
}

// Y without shadows and glints: NaN. In each row at least half of the pictures in `order` stay, the
// brightest compared with X.
template <class T>
Matrix<T> seen_of(const Matrix<T>& Y, const Matrix<T>& X, const std::vector<Index>& order) {
  Matrix<T> seen = (Y.array() < T(in_shadow) * X.array() || Y.array() > X.array() + T(glint))
                       .select(not_known<T>, Y);
  std::vector<std::pair<T, Index>> hidden;  // how dark, and which
  for (Index i = 0; i < Y.rows(); ++i) {
    hidden.clear();
    for (const Index j : order)
      if (std::isnan(seen(i, j)) && !std::isnan(Y(i, j)))
        hidden.emplace_back(Y(i, j) / std::max(X(i, j), T(darkest)), j);
    const std::size_t most = order.size() / 2;
    if (hidden.size() <= most) continue;
    std::ranges::sort(hidden);
    for (std::size_t k = most; k < hidden.size(); ++k)
      seen(i, hidden[k].second) = Y(i, hidden[k].second);
  }
  return seen;
}

// 0 where a pixel is lit, 1 where it is in shadow or missing
template <class T>
T shadow_of(T v, T x) {
  if (std::isnan(v)) return 1;
  if (!(x > T(darkest))) return 0;
  return std::clamp((T(lit) - v / x) / T(lit - in_shadow), T(0), T(1));
}

cv::Mat as_picture(Vector<float>& x, const PictureSize& size) {
  return {int(size.height), int(size.width), CV_MAKETYPE(CV_32F, int(size.channels)), x.data()};
}

// Where hardly any picture is lit, atoms have specks: pixels that are far from the median of their
// neighbours, and become that.
template <class T>
void remove_specks(Matrix<T>& X, const PictureSize& size) {
  constexpr float far = 0.2F;  // of the median
  for (Index j = 0; j < X.cols(); ++j) {
    Vector<float> x = X.col(j).template cast<float>(), median(x.size());
    cv::Mat to = as_picture(median, size);
    cv::medianBlur(as_picture(x, size), to, 3);
    X.col(j) =
        ((x - median).array().abs() > far * median.array()).select(median, x).template cast<T>();
  }
}

template <class T>
Matrix<T> shadows_of(const Matrix<T>& Y, const Matrix<T>& X, const PictureSize& size) {
  constexpr int wider = 5;          // pixels across
  constexpr double softness = 1.5;  // pixels
  Matrix<T> result(Y.rows(), Y.cols());
  for (Index j = 0; j < Y.cols(); ++j) {
    Vector<float> shadow = Y.col(j)
                               .binaryExpr(X.col(j), [](T v, T x) { return shadow_of(v, x); })
                               .template cast<float>();
    cv::Mat picture = as_picture(shadow, size), smooth;
    // Single pixels are no shadows.
    cv::morphologyEx(picture, smooth, cv::MORPH_OPEN, cv::Mat::ones(3, 3, CV_8U));
    cv::dilate(smooth, smooth, cv::getStructuringElement(cv::MORPH_ELLIPSE, {wider, wider}));
    cv::GaussianBlur(smooth, picture, {}, softness, softness, cv::BORDER_REFLECT);
    result.col(j) = shadow.template cast<T>();
  }
  return Y.array().isNaN().select(T(1), result);
}

}  // namespace

Settings RelightOptions::relight_settings() {
  Settings settings;
  settings.rank = 5;
  settings.init = SamplesInit{};
  settings.epochs = 30;
  return settings;
}

template <class T>
Relit<T> relight(ConstMatrixRef<T> V, const PictureSize& size, const RelightOptions& options) {
  if (V.size() == 0) throw DataError("there are no pictures");
  if (V.rows() != size.entries())
    throw DataError(fmt::format("{} entries are not a picture of {}x{} pixels with {} channels",
                                V.rows(), size.width, size.height, size.channels));
  const Vector<T> scales = scales_of<T>(V);
  const Matrix<T> Y = V * scales.cwiseInverse().asDiagonal();
  Settings settings = options.settings;
  settings.missing = true;
  const Index K = settings.rank = std::min(settings.rank, V.cols());
  // So that the first mini-batch is what to begin with
  settings.batch_size = K;
  const std::vector<Index> order = learned_from<T>(Y, settings, K);
  Matrix<T> seen = Y, X;
  for (int round = 0; round < rounds; ++round) {
    if (options.progress && !options.progress(double(round) / rounds))
      throw Interrupted("stopped; nothing was written");
    if (round > 0) seen = seen_of<T>(Y, X, order);
    Trainer<T> trainer(settings);
    const Model<T> model = trainer.fit(Matrix<T>(seen(Eigen::all, order))).model;
    X = model.reconstruct(model.encode(seen, options.encoding).H);
  }
  if (!options.reconstruction) remove_specks(X, size);
  Relit<T> result;
  result.reconstruction = X * scales.asDiagonal();
  result.replaced = options.reconstruction ? Matrix<T>::Ones(V.rows(), V.cols()).eval()
                                           : shadows_of<T>(Y, X, size);
  result.pictures = V.array().isNaN().select(
      result.reconstruction, V + result.replaced.cwiseProduct(result.reconstruction - V));
  return result;
}

template Relit<float> relight(ConstMatrixRef<float>, const PictureSize&, const RelightOptions&);
template Relit<double> relight(ConstMatrixRef<double>, const PictureSize&, const RelightOptions&);

}  // namespace tamis
