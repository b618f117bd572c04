// Every patch of a picture is nearly Wh with few atoms; what is not is an error. Four rounds:
//
//   for each round:  V ← patches of the picture, suspects being missing
//                    W ← fit to some of them;  H ← codes of all, with the robust (Huber) loss
//                    z ← mean over the patches that have a pixel of (WH) there;  e ← |y − z|
//                    suspects ← e > max(limit, c·s),  s the local mean of e without the suspects,
//                    unless three neighbours that are no suspects are as bright
//
// Codes of patches with errors in them are bad at first, so the rounds begin with what is far off
// (limit 0.4, 0.3, 0.2 of white) and few atoms (most_atoms), which cannot follow the errors.
// What is merely doubtful stays in the robust fit: edges are among it, and if they were missing,
// the dictionary would never learn them. The last round decides. There c follows from a mixture:
// errors are uniform, a share π of all pixels, and residuals of intact pixels Laplacian of scale s,
// so they are equally likely at e = s·(ln((1 − π)/π) + const); the constant is such that c = 3 for
// π = 0.2, and π comes from the suspects of the round before.
//
// Cost: per round the codes of all patches, (pixels/stride²)·O(patch²·channels·K) per iteration.
#include "tamis/image/photo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "random/permutation.hpp"
#include "tamis/error.hpp"
#include "tamis/trainer.hpp"

namespace tamis {
namespace {

constexpr double far_off[] = {0.4, 0.3, 0.2};  // of white: limits of the rounds before the last
constexpr double most_atoms[] = {0.05, 0.2, 0.2, 0.4};  // of a patch's entries, in each round
constexpr double near = 0.03;                           // … and of the last
constexpr double local_sigma = 3;  // pixels, of the window in which e is averaged
constexpr double alike = 0.3;      // of e: a neighbour this near agrees
constexpr int enough_alike = 3;    // of eight neighbours
constexpr double usual_c = 3;
constexpr double usual_share = 0.2;
constexpr double white_quantile = 0.98;
constexpr Index most_learned_from = 32768;  // patches
constexpr Index patches_at_once = 4096;

template <class T>
class PhotoCleaner {
 public:
  PhotoCleaner(ConstVectorRef<T> picture, const PictureSize& size, const PhotoOptions& options)
      : size_(size), options_(options), grid_(size, options.patch, options.stride) {
    if (picture.size() != size.entries())
      throw DataError(fmt::format("{} entries are not a picture of {}x{} pixels with {} channels",
                                  picture.size(), size.width, size.height, size.channels));
    white_ = white_of(picture);
    y_ = picture / T(white_);
  }

  CleanedPhoto<T> run();

 private:
  static double white_of(ConstVectorRef<T> picture);
  Vector<T> without(const Vector<T>& suspects) const;
  Model<T> learn(const Vector<T>& y, std::size_t round, double share) const;
  Vector<T> reconstruct(const Model<T>& model, Vector<T> y);
  void add_patches(const Model<T>& model, const Vector<T>& y, double least_known, VectorRef<T> sum,
                   VectorRef<T> total);
  Vector<T> local_scale(const Vector<T>& e, const Vector<T>& suspects) const;
  Vector<T> suspects_of(const Vector<T>& z, const Vector<T>& before, double limit, double c) const;
  Vector<T> without_company(const Vector<T>& far, const Vector<T>& e) const;
  void tell(double more);

  PictureSize size_;
  PhotoOptions options_;
  PatchGrid grid_;
  double white_ = 1;
  Vector<T> y_;  // the picture, white being 1; NaN is missing
  double done_ = 0;
};

// Nearly the largest value: a few errors may be beyond anything.
template <class T>
double PhotoCleaner<T>::white_of(ConstVectorRef<T> picture) {
  std::vector<T> known;
  for (const T x : picture) {
    if (std::isnan(x)) continue;
    if (!(x >= 0) || std::isinf(x))
      throw DataError(fmt::format("a pixel is {}; pixels are finite and not negative", x));
    known.push_back(x);
  }
  if (known.empty()) throw DataError("every pixel is missing");
  const auto place = known.begin() + std::ptrdiff_t(white_quantile * double(known.size() - 1));
  std::ranges::nth_element(known, place);
  if (*place > 0) return double(*place);
  const double largest = double(*std::ranges::max_element(known));
  return largest > 0 ? largest : 1;
}

template <class T>
void PhotoCleaner<T>::tell(double more) {
  done_ += more / double(std::size(far_off) + 1);
  if (options_.progress && !options_.progress(std::min(done_, 1.0)))
    throw Interrupted("stopped; nothing was written");
}

template <class T>
Vector<T> PhotoCleaner<T>::without(const Vector<T>& suspects) const {
  return (suspects.array() > 0).select(std::numeric_limits<T>::quiet_NaN(), y_);
}

// From patches drawn without replacement, preferring those of which at least half is known.
template <class T>
Model<T> PhotoCleaner<T>::learn(const Vector<T>& y, std::size_t round, double share) const {
  const Index n = std::min(grid_.patches(), most_learned_from);
  const Permutation order(grid_.patches(), options_.settings.seed, Purpose::data);
  std::vector<Index> numbers(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j) numbers[std::size_t(j)] = order(j);
  Matrix<T> V(grid_.features(), n);
  grid_.extract<T>(y, numbers, V);
  std::vector<Index> known, some;
  for (Index j = 0; j < n; ++j) {
    const Index entries = V.rows() - V.col(j).array().isNaN().count();
    if (entries > 0) some.push_back(j);
    if (2 * entries >= V.rows()) known.push_back(j);
  }
  const std::vector<Index>& used = known.empty() ? some : known;
  if (used.empty()) throw DataError("too few pixels are known to learn from");
  Settings settings = options_.settings;
  if (round < std::size(far_off)) {
    settings.epochs = 1;
    settings.rank /= 2;
  }
  const double fewer = std::min(1.0, std::pow((1 - share) / (1 - usual_share), 3));
  const auto most = Index(most_atoms[round] * fewer * double(V.rows()));
  settings.rank = std::max<Index>(1, std::min({settings.rank, most, Index(used.size())}));
  settings.missing = true;
  Trainer<T> trainer(settings);
  return trainer.fit(Matrix<T>(V(Eigen::all, used))).model;
}

// Sums over all patches; each counts by the share of its entries that are known, if that is enough.
template <class T>
void PhotoCleaner<T>::add_patches(const Model<T>& model, const Vector<T>& y, double least_known,
                                  VectorRef<T> sum, VectorRef<T> total) {
  Matrix<T> V;
  for (Index first = 0; first < grid_.patches(); first += patches_at_once) {
    const Index n = std::min(patches_at_once, grid_.patches() - first);
    V.resize(grid_.features(), n);
    grid_.extract<T>(y, first, V);
    const Encoding<T> encoding = model.encode(V, options_.encoding);
    const Vector<T> known =
        T(1) - V.array().isNaN().template cast<T>().colwise().mean().transpose();
    const Vector<T> weights = (known.array() >= T(least_known)).select(known.cwiseAbs2(), T(0));
    grid_.add<T>(model.reconstruct(encoding.H), first, weights, sum, total);
    tell(double(n) / double(grid_.patches()));
  }
}

// Holes larger than a patch are filled from their borders inwards.
template <class T>
Vector<T> PhotoCleaner<T>::reconstruct(const Model<T>& model, Vector<T> y) {
  constexpr double enough = 0.25;  // of a patch
  Vector<T> z = Vector<T>::Constant(y.size(), std::numeric_limits<T>::quiet_NaN());
  for (double least_known = enough; z.hasNaN();) {
    Vector<T> sum = Vector<T>::Zero(y.size()), total = Vector<T>::Zero(y.size());
    add_patches(model, y, least_known, sum, total);
    const Vector<T> mean = sum.cwiseQuotient(total);  // NaN where there is nothing
    const bool further = (z.array().isNaN() && !mean.array().isNaN()).any();
    z = z.array().isNaN().select(mean, z);
    y = y.array().isNaN().select(z, y);
    least_known = further ? enough : 0;
  }
  return z;
}

// Mean of e in a Gaussian window, the suspects and what is missing left out
template <class T>
Vector<T> PhotoCleaner<T>::local_scale(const Vector<T>& e, const Vector<T>& suspects) const {
  const auto counted = (suspects.array() == 0 && !e.array().isNaN()).eval();
  Vector<float> values = counted.select(e.template cast<float>().array(), 0.F);
  Vector<float> counts = counted.template cast<float>();
  for (Vector<float>* plane : {&values, &counts}) {
    cv::Mat picture(int(size_.height), int(size_.width), CV_MAKETYPE(CV_32F, int(size_.channels)),
                    plane->data());
    cv::GaussianBlur(picture, picture, {}, local_sigma, local_sigma, cv::BORDER_REFLECT);
  }
  const float few = 1e-3F;
  return values.cwiseQuotient(counts.cwiseMax(few)).template cast<T>();
}

// What is far off, but has neighbours that are not and agree with it, is part of an edge or a line.
template <class T>
Vector<T> PhotoCleaner<T>::without_company(const Vector<T>& far, const Vector<T>& e) const {
  Vector<T> suspects = far;
  const Index across = size_.channels, down = size_.width * size_.channels;
  for (Index row = 0; row < size_.height; ++row)
    for (Index i = row * down; i < (row + 1) * down; ++i) {
      if (far[i] == 0 || std::isnan(e[i])) continue;
      const Index column = (i - row * down) / across;
      int agree = 0;
      for (Index y = row > 0 ? -1 : 0; y <= (row + 1 < size_.height ? 1 : 0); ++y)
        for (Index x = column > 0 ? -1 : 0; x <= (column + 1 < size_.width ? 1 : 0); ++x) {
          const Index neighbour = i + y * down + x * across;
          if (far[neighbour] == 0 && std::abs(y_[neighbour] - y_[i]) < T(alike) * e[i]) ++agree;
        }
      if (agree >= enough_alike) suspects[i] = 0;
    }
  return suspects;
}

template <class T>
Vector<T> PhotoCleaner<T>::suspects_of(const Vector<T>& z, const Vector<T>& before, double limit,
                                       double c) const {
  const Vector<T> e = (y_ - z).cwiseAbs();
  const Vector<T> scale = local_scale(e, before);
  // Not ≤, so that what is missing is a suspect
  const Vector<T> far =
      (!(e.array() <= (T(c) * scale).cwiseMax(T(limit)).array())).template cast<T>();
  return without_company(far, e);
}

double c_of_share(double share) {
  constexpr double least = 2, most = 10;
  const auto odds = [](double p) { return std::log((1 - p) / p); };
  return std::clamp(usual_c + odds(std::clamp(share, 1e-4, 0.9)) - odds(usual_share), least, most);
}

template <class T>
CleanedPhoto<T> PhotoCleaner<T>::run() {
  const Vector<T> missing = y_.array().isNaN().template cast<T>();
  const bool errors = !options_.threshold || std::isfinite(*options_.threshold);
  Vector<T> suspects = missing;
  const double known = double(y_.size()) - double(missing.sum());
  double share = 0;  // of the known pixels that are wrong, presumably
  if (errors) {
    for (std::size_t round = 0; round < std::size(far_off); ++round) {
      const Vector<T> y = without(suspects);
      const Vector<T> z = reconstruct(learn(y, round, share), y);
      // In the first round nothing is known yet about who is to be left out of the local scale.
      const Vector<T> left_out =
          round == 0 ? Vector<T>((!((y_ - z).cwiseAbs().array() < T(0.15))).template cast<T>())
                     : suspects;
      suspects = suspects_of(z, left_out, far_off[round], usual_c);
      const double found = double(suspects.sum() - missing.sum()) / known;
      share = std::min(0.8, found / std::pow(1 - far_off[round], 2));
    }
  }
  const Vector<T> y = without(suspects);
  const Vector<T> z = reconstruct(learn(y, std::size(far_off), share), y);
  if (!errors) {
    suspects = missing;
  } else if (options_.threshold) {
    suspects =
        (!((y_ - z).cwiseAbs().array() <= T(*options_.threshold / white_))).template cast<T>();
  } else {
    suspects = suspects_of(z, suspects, near, c_of_share(share));
  }
  if (options_.reconstruction) suspects.setOnes();
  CleanedPhoto<T> result;
  result.reconstruction = T(white_) * z;
  result.replaced = suspects;
  result.picture = (suspects.array() > 0).select(result.reconstruction, T(white_) * y_);
  return result;
}

}  // namespace

Settings PhotoOptions::photo_settings() {
  Settings settings;
  settings.rank = 24;
  settings.epochs = 2;
  return settings;
}

template <class T>
CleanedPhoto<T> clean_photo(ConstVectorRef<T> picture, const PictureSize& size,
                            const PhotoOptions& options) {
  CleanedPhoto<T> result = PhotoCleaner<T>(picture, size, options).run();
  // What is kept is kept to the last bit.
  result.picture = (result.replaced.array() > 0).select(result.reconstruction, picture);
  return result;
}

template CleanedPhoto<float> clean_photo(ConstVectorRef<float>, const PictureSize&,
                                         const PhotoOptions&);
template CleanedPhoto<double> clean_photo(ConstVectorRef<double>, const PictureSize&,
                                          const PhotoOptions&);

}  // namespace tamis
