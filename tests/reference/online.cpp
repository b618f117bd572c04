// Algorithm 1 of the study with its two pairs of solvers (sections IV-A and IV-B).
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "reference/textbook.hpp"

namespace tamis::textbook {
namespace {

constexpr double encode_tolerance = 1e-3;
constexpr int encode_iterations = 50;
constexpr double update_tolerance = 1e-4;
constexpr int update_iterations = 200;

// |x − before|/|before| < tolerance
bool settled(double x, double before, double tolerance) {
  return std::abs(x - before) / std::abs(before) < tolerance;
}

Code encode_by_pgd(const Numbers& s, const Mat& W, const Vec& v, Vec h, Vec r) {
  const double eta = s.kappa_h / squared_spectral_norm(W);
  const auto loss = [&] {
    return (v - W * h - r).squaredNorm() / 2 + outlier_penalty(s, r) + code_penalty(s, h);
  };
  double before = loss();
  for (int k = 0; k < encode_iterations; ++k) {
    h = prox_code(s, h - eta * W.transpose() * (W * h + r - v), eta);
    r = shrink_outlier(s, v - W * h);
    const double now = loss();
    if (settled(now, before, encode_tolerance)) break;
    before = now;
  }
  return {h, r};
}

Code encode_by_admm(const Numbers& s, const Mat& W, const Vec& v, Vec h, Vec r) {
  const Mat inverse = (W.transpose() * W + s.rho1 * Mat::Identity(s.K, s.K)).inverse();
  Vec u = h;
  Vec q = r;
  Vec alpha = Vec::Zero(h.size());
  Vec beta = Vec::Zero(r.size());
  // At the unsplit h and r, where the study evaluates it. ψ is a term of the copy u: the splitting
  // gives it to u, and h may be negative.
  const auto loss = [&] {
    return (v - W * h - r).squaredNorm() / 2 + outlier_penalty(s, r) + code_penalty(s, u);
  };
  double before = loss();
  for (int k = 0; k < encode_iterations; ++k) {
    h = inverse * (W.transpose() * (v - r) + s.rho1 * u - alpha);
    r = soft_threshold(s.rho2 * q + v - beta - W * h, s.lambda) / (1 + s.rho2 + s.outlier_l2);
    u = prox_code(s, h + alpha / s.rho1, 1 / s.rho1);
    q = project_outlier(s, r + beta / s.rho2);
    alpha += s.rho1 * (h - u);
    beta += s.rho2 * (r - q);
    const double now = loss();
    if (settled(now, before, encode_tolerance)) break;
    before = now;
  }
  return {u, q};
}

// ½tr(WᵀWA) − tr(WᵀB)
double p(const Mat& W, const Mat& A, const Mat& B) {
  return (W.transpose() * W * A).trace() / 2 - (W.transpose() * B).trace();
}

Mat update_by_pgd(const Numbers& s, Mat W, const Mat& A, const Mat& B) {
  const double eta = s.kappa_w / A.norm();
  double before = p(W, A, B);
  for (int k = 0; k < update_iterations; ++k) {
    W = project(s.set, W - eta * (W * A - B));
    const double now = p(W, A, B);
    if (settled(now, before, update_tolerance)) break;
    before = now;
  }
  return W;
}

Mat update_by_admm(const Numbers& s, const Mat& start, const Mat& A, const Mat& B) {
  const Mat inverse = (A + s.rho3 * Mat::Identity(s.K, s.K)).inverse();
  Mat W = start;
  Mat Q = start;
  Mat D = Mat::Zero(W.rows(), W.cols());
  double before = p(Q, A, B);
  for (int k = 0; k < update_iterations; ++k) {
    W = (B - D + s.rho3 * Q) * inverse;
    Q = project(s.set, W + D / s.rho3);
    D += s.rho3 * (W - Q);
    const double now = p(Q, A, B);
    if (settled(now, before, update_tolerance)) break;
    before = now;
  }
  return Q;
}

using Encode = std::function<Code(const Numbers&, const Mat&, const Vec&, Vec, Vec)>;
using Update = std::function<Mat(const Numbers&, const Mat&, const Mat&, const Mat&)>;

// The averages of the study, from everything seen so far.
struct Memory {
  Mat sum_A, sum_B;
  double sum_c = 0;
  Index t = 0;

  void add(const Numbers& s, const Vec& v, const Code& code) {
    sum_A += code.h * code.h.transpose();
    sum_B += (v - code.r) * code.h.transpose();
    sum_c += (v - code.r).squaredNorm() / 2 + outlier_penalty(s, code.r) + code_penalty(s, code.h);
    ++t;
  }
};

State run(const Numbers& s, const Mat& V, const Encode& encode, const Update& update) {
  const Index F = V.rows();
  const Index N = V.cols();
  State state;
  state.W = initial_dictionary(s, F);
  state.H.resize(s.K, N);
  state.R.resize(F, N);
  Memory memory{Mat::Zero(s.K, s.K), Mat::Zero(F, s.K)};
  const auto learn = [&](const std::vector<std::pair<Vec, Code>>& batch) {
    for (const auto& [v, code] : batch) memory.add(s, v, code);
    state.A = memory.sum_A / double(memory.t);
    state.B = memory.sum_B / double(memory.t);
    state.c = memory.sum_c / double(memory.t);
    // For W ≥ 0 the elastic net on W is linear and quadratic: it joins B and A for the update.
    const Mat A = state.A + s.dictionary_l2 * Mat::Identity(s.K, s.K);
    const Mat B = state.B.array() - s.dictionary_l1;
    state.W = update(s, state.W, A, B);
  };
  for (Index epoch = 0; epoch < s.epochs; ++epoch) {
    std::vector<std::pair<Vec, Code>> before;
    for (Index first = 0; first < N; first += s.tau) {
      std::vector<std::pair<Vec, Code>> batch;
      for (Index n = first; n < std::min(N, first + s.tau); ++n) {
        const double scale = sample_scale(s, V.col(n));
        const Vec v = V.col(n) / scale;
        const Code code =
            encode(s, state.W, v, initial_code(s, epoch, n), initial_outlier(s, F, epoch, n));
        batch.emplace_back(v, code);
        state.H.col(n) = scale * code.h;
        state.R.col(n) = scale * code.r;
      }
      if (!s.late) {
        learn(batch);
      } else if (first > 0) {
        learn(before);
      }
      before = batch;
    }
    if (s.late) learn(before);
  }
  return state;
}

}  // namespace

State opgd(const Numbers& numbers, const Mat& V) {
  return run(numbers, V, encode_by_pgd, update_by_pgd);
}

State oadmm(const Numbers& numbers, const Mat& V) {
  return run(numbers, V, encode_by_admm, update_by_admm);
}

}  // namespace tamis::textbook
