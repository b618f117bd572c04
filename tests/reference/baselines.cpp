// Online robust PCA (Feng, Xu, Yan 2013, algorithms 1 and 2) and online NMF by robust stochastic
// approximation (Guan, Tao, Luo, Yuan 2012).
#include <algorithm>
#include <cmath>
#include <vector>

#include "random/random.hpp"
#include "reference/textbook.hpp"

namespace tamis::textbook {
namespace {

// Algorithm 2 of robust PCA
Code encode_by_orpca(const Numbers& s, const Mat& L, const Vec& z) {
  const Mat ridge = L.transpose() * L + s.lambda1 * Mat::Identity(s.K, s.K);
  Vec x = Vec::Zero(s.K);
  Vec e = Vec::Zero(z.size());
  for (int k = 0; k < 1000; ++k) {
    const Vec x_before = x;
    const Vec e_before = e;
    x = ridge.inverse() * L.transpose() * (z - e);
    e = shrink_outlier(s, z - L * x);
    if (std::max((x - x_before).norm(), (e - e_before).norm()) / z.norm() < 1e-6) break;
  }
  return {x, e};
}

// h ≥ 0 with the least ‖v − Wh‖, one entry at a time until nothing moves
Vec nonnegative_least_squares(const Mat& W, const Vec& v) {
  const Mat G = W.transpose() * W;
  const Vec s = W.transpose() * v;
  Vec h = Vec::Zero(W.cols());
  for (int sweep = 0; sweep < 100000; ++sweep) {
    const Vec before = h;
    for (Index k = 0; k < h.size(); ++k)
      h[k] = std::max(0.0, h[k] + (s[k] - G.row(k).dot(h)) / G(k, k));
    if ((h - before).norm() <= 1e-15 * h.norm()) break;
  }
  return h;
}

struct Pair {
  Vec v, h;
};

Mat stochastic_approximation(const Numbers& s, const Mat& W, const std::vector<Pair>& buffer,
                             Index batch) {
  const double D = std::sqrt(2.0 * double(s.K));
  double square = 0;
  for (const auto& [v, h] : buffer)
    square += (W * h - v).squaredNorm() * h.squaredNorm() / double(buffer.size());
  RandomStream random(s.seed, Purpose::draws, 0, batch);
  Mat X = W;
  Mat sum = Mat::Zero(W.rows(), W.cols());
  double weight = 0;
  for (Index k = 1; k <= s.steps; ++k) {
    const auto& [v, h] = buffer[std::size_t(random.below(Index(buffer.size())))];
    const double eta = s.theta * D / (std::sqrt(square) * std::sqrt(double(k)));
    X = project(Set::simplex, X - eta * (X * h - v) * h.transpose());
    sum += eta * X;
    weight += eta;
  }
  return sum / weight;
}

// The data in mini-batches: learn(first, last) for each
template <class Learn>
void for_each_batch(const Numbers& s, Index N, const Learn& learn) {
  for (Index epoch = 0; epoch < s.epochs; ++epoch)
    for (Index first = 0; first < N; first += s.tau) learn(first, std::min(N, first + s.tau));
}

}  // namespace

State orpca(const Numbers& s, const Mat& V) {
  State state;
  Mat L = initial_dictionary(s, V.rows());
  Mat A = Mat::Zero(s.K, s.K);
  Mat B = Mat::Zero(V.rows(), s.K);
  double c = 0;
  double t = 0;
  state.H.resize(s.K, V.cols());
  state.R.resize(V.rows(), V.cols());
  for_each_batch(s, V.cols(), [&](Index first, Index last) {
    for (Index n = first; n < last; ++n, ++t) {
      const double scale = sample_scale(s, V.col(n));
      const Vec z = V.col(n) / scale;
      const auto [x, e] = encode_by_orpca(s, L, z);
      A += x * x.transpose();
      B += (z - e) * x.transpose();
      c += (z - e).squaredNorm() / 2 + outlier_penalty(s, e) + s.lambda1 / 2 * x.squaredNorm();
      state.H.col(n) = scale * x;
      state.R.col(n) = scale * e;
    }
    // The paper's sums, with λ₁I instead of (λ₁/t)I
    const Mat A_ridge = A + s.lambda1 * Mat::Identity(s.K, s.K);
    for (Index j = 0; j < s.K; ++j) {
      L.col(j) += (B.col(j) - L * A_ridge.col(j)) / A_ridge(j, j);
      if (s.unit_columns) L.col(j).normalize();
    }
  });
  state.W = L;
  state.A = A / t;
  state.B = B / t;
  state.c = c / t;
  return state;
}

State onmf(const Numbers& s, const Mat& V) {
  State state;
  Mat W = initial_dictionary(s, V.rows());
  std::vector<Pair> buffer;
  Index t = 0;
  Index batch = 0;
  state.A = Mat::Zero(s.K, s.K);
  state.B = Mat::Zero(V.rows(), s.K);
  state.H.resize(s.K, V.cols());
  state.R = Mat::Zero(V.rows(), V.cols());
  for_each_batch(s, V.cols(), [&](Index first, Index last) {
    for (Index n = first; n < last; ++n, ++t) {
      const double scale = sample_scale(s, V.col(n));
      const Vec v = V.col(n) / scale;
      const Vec h = nonnegative_least_squares(W, v);
      if (Index(buffer.size()) < s.buffer) {
        buffer.push_back({v, h});
      } else {
        buffer[std::size_t(t % s.buffer)] = {v, h};
      }
      state.A += h * h.transpose();
      state.B += v * h.transpose();
      state.c += v.squaredNorm() / 2;
      state.H.col(n) = scale * h;
    }
    W = stochastic_approximation(s, W, buffer, ++batch);
  });
  state.W = W;
  state.A /= double(t);
  state.B /= double(t);
  state.c /= double(t);
  return state;
}

}  // namespace tamis::textbook
