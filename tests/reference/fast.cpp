// `fast`, one sample at a time: over-relaxed ADMM on the codes, coordinate sweeps for W.
#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/textbook.hpp"

namespace tamis::textbook {
namespace {

constexpr double relaxation = 1.6;

// Every tenth iteration, up to the 200th, a sample's ρ follows the ratio of what h and u differ by
// to what u has moved by: not for a ratio within 3, by a factor of 2 at most, and never further
// than 100 times away from where it began.
double adapted(double rho, double begun_with, Index iteration, double apart, double moved) {
  const double ratio = apart / moved;
  const bool even = ratio > 1.0 / 3 && ratio < 3;
  if (iteration % 10 != 0 || iteration > 200 || even) return rho;
  return std::clamp(rho * std::clamp(std::sqrt(ratio), 0.5, 2.0), begun_with / 100,
                    begun_with * 100);
}

// v − r for the prediction p; a missing entry (NaN) is what is predicted.
Vec clean(const Numbers& s, const Vec& v, const Vec& p) {
  return v.array().isNaN().select(p, v - shrink_outlier(s, v - p));
}

// Where an entry is missing, the mean of the others
Vec filled(const Vec& v) {
  const auto missing = v.array().isNaN();
  const double mean = missing.select(0.0, v).sum() / double(v.size() - missing.count());
  return missing.select(mean, v);
}

Code encode(const Numbers& s, const Mat& W, const Vec& v) {
  const Mat G = W.transpose() * W;
  const double begun_with = s.rho * G.trace() / double(s.K);
  double rho = begun_with;
  const auto solve = [&](const Vec& x) -> Vec {
    return (G + rho * Mat::Identity(s.K, s.K)).inverse() * x;
  };
  const Vec least_squares = solve(W.transpose() * filled(v));
  Vec u = least_squares.cwiseMax(0.0);
  Vec alpha = Vec::Zero(s.K);
  Vec y = clean(s, v, W * u);
  for (Index k = 1; k <= s.iterations; ++k) {
    const Vec before = u;
    const Vec h = solve(W.transpose() * y + rho * u - alpha);
    y = clean(s, v, W * h);
    const Vec relaxed = relaxation * h + (1 - relaxation) * u;
    u = prox_code(s, relaxed + alpha / rho, 1 / rho);
    alpha += rho * (relaxed - u);
    if (s.encoder_tolerance == 0) continue;
    const double apart = (h - u).norm();
    const double moved = (u - before).norm();
    if (std::max(apart, moved) <= s.encoder_tolerance * least_squares.norm()) break;
    rho = adapted(rho, begun_with, k, apart, moved);
  }
  y = clean(s, v, W * u);
  return {u, v.array().isNaN().select(0.0, v - y)};
}

double kept(const Numbers& s, Index batch, Index samples) {
  switch (s.fading) {
    case Fading::poly:
      return std::pow(1 - 1 / double(batch), s.fading_parameter);
    case Fading::decay:
      return std::pow(s.fading_parameter, double(samples));
    default:
      return 1;
  }
}

// w_j ← P(w_j + (b_j − W a_j)/A_jj) for all j, several times
Mat sweep(const Numbers& s, Set set, Mat W, const Mat& A, const Mat& B) {
  for (Index k = 0; k < s.sweeps; ++k) {
    for (Index j = 0; j < s.K; ++j) {
      if (!(A(j, j) > 1e-12 * A.diagonal().maxCoeff())) continue;  // no sample uses this atom
      W.col(j) = project_column(set, W.col(j) + (B.col(j) - W * A.col(j)) / A(j, j));
    }
  }
  return W;
}

// The norm of an atom is only a gauge: sweep without it, then give every atom unit norm and pass
// the factor on, also to codes that are yet to be learned from.
void sweep_and_rescale(const Numbers& s, State& state, Mat& waiting) {
  state.W = sweep(s, Set::nonneg, state.W, state.A, state.B);
  const Vec norms = state.W.colwise().norm();
  state.W = state.W * norms.cwiseInverse().asDiagonal();
  state.A = norms.asDiagonal() * state.A * norms.asDiagonal();
  state.B = state.B * norms.asDiagonal();
  waiting = norms.asDiagonal() * waiting;
}

bool norm_is_a_gauge(const Numbers& s) {
  const bool penalty = s.code_l1 > 0 || s.code_l2 > 0 || s.dictionary_l1 > 0 || s.dictionary_l2 > 0;
  return s.set != Set::simplex && !penalty;
}

// What is known of an encoded mini-batch
struct Encoded {
  Mat H, Y;      // codes and v − r, as columns
  double c = 0;  // sum of what W does not change
};

Encoded encode(const Numbers& s, const Mat& V, Index first, State& state) {
  const Index n = std::min(s.tau, V.cols() - first);
  Encoded batch{Mat(s.K, n), Mat(V.rows(), n)};
  for (Index j = 0; j < n; ++j) {
    const double scale = sample_scale(s, V.col(first + j));
    const Vec v = V.col(first + j) / scale;
    const Code code = encode(s, state.W, v);
    batch.H.col(j) = code.h;
    batch.Y.col(j) = clean(s, v, state.W * code.h);
    batch.c += batch.Y.col(j).squaredNorm() / 2 + outlier_penalty(s, code.r);
    batch.c += code_penalty(s, code.h);
    state.H.col(first + j) = scale * code.h;
    state.R.col(first + j) = scale * code.r;
  }
  return batch;
}

// Codes that are waiting keep belonging to W.
void learn(const Numbers& s, const Encoded& batch, double keep, double weight, State& state,
           Mat& waiting) {
  state.A = keep * state.A + batch.H * batch.H.transpose() / weight;
  state.B = keep * state.B + batch.Y * batch.H.transpose() / weight;
  state.c = keep * state.c + batch.c / weight;
  if (norm_is_a_gauge(s)) {
    sweep_and_rescale(s, state, waiting);
  } else {
    state.W = sweep(s, s.set, state.W, state.A + s.dictionary_l2 * Mat::Identity(s.K, s.K),
                    state.B.array() - s.dictionary_l1);
  }
}

}  // namespace

State fast(const Numbers& s, const Mat& V) {
  const Index F = V.rows();
  const Index N = V.cols();
  State state{
      initial_dictionary(s, F), Mat::Zero(s.K, s.K), Mat::Zero(F, s.K), 0, Mat(s.K, N), Mat(F, N)};
  double weight = 0;
  Index learned = 0;
  const auto learn_from = [&](const Encoded& batch, Mat& waiting) {
    const double old = kept(s, ++learned, batch.H.cols()) * weight;
    weight = old + double(batch.H.cols());
    learn(s, batch, old / weight, weight, state, waiting);
  };
  for (Index epoch = 0; epoch < s.epochs; ++epoch) {
    Encoded before;
    Mat none(s.K, 0);
    for (Index first = 0; first < N; first += s.tau) {
      Encoded batch = encode(s, V, first, state);
      if (!s.late) {
        learn_from(batch, none);
      } else if (first > 0) {
        learn_from(before, batch.H);
      }
      before = std::move(batch);
    }
    if (s.late) learn_from(before, none);
  }
  return state;
}

}  // namespace tamis::textbook
