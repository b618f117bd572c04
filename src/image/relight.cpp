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
//   result:        v where v ≥ 0.8·x, x where v ≤ 0.6·x, and in between from one to the other
//
// The rule is not symmetric, because shadows only darken: what is brighter (glints) does not enter
// the dictionary, but stays in the picture. More rounds make it worse: where all is missing,
// nothing holds x down.
#include "tamis/image/relight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

// 0 where a pixel is lit, 1 where it is in shadow or missing
template <class T>
T shadow_of(T v, T x) {
  if (std::isnan(v)) return 1;
  if (!(x > T(darkest))) return 0;
  return std::clamp((T(lit) - v / x) / T(lit - in_shadow), T(0), T(1));
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
Relit<T> relight(ConstMatrixRef<T> V, const RelightOptions& options) {
  if (V.size() == 0) throw DataError("there are no pictures");
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
    if (round > 0)
      seen = (Y.array() < T(in_shadow) * X.array() || Y.array() > X.array() + T(glint))
                 .select(not_known<T>, Y);
    Trainer<T> trainer(settings);
    const Model<T> model = trainer.fit(Matrix<T>(seen(Eigen::all, order))).model;
    X = model.reconstruct(model.encode(seen, options.encoding).H);
  }
  Relit<T> result;
  result.reconstruction = X * scales.asDiagonal();
  result.replaced = options.reconstruction
                        ? Matrix<T>::Ones(V.rows(), V.cols())
                        : Matrix<T>(Y.binaryExpr(X, [](T v, T x) { return shadow_of(v, x); }));
  result.pictures = V.array().isNaN().select(
      result.reconstruction, V + result.replaced.cwiseProduct(result.reconstruction - V));
  return result;
}

template Relit<float> relight(ConstMatrixRef<float>, const RelightOptions&);
template Relit<double> relight(ConstMatrixRef<double>, const RelightOptions&);

}  // namespace tamis
