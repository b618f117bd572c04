// The batch algorithms of the study's supplement, on the whole matrix. `iterations` passes, no
// stopping rule. A penalty on W belongs to the mean loss, so it counts N times in these sums.
#include "reference/textbook.hpp"

namespace tamis::textbook {
namespace {

Mat by_column(const Mat& X, const auto& operation) {
  Mat result(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) result.col(j) = operation(Vec(X.col(j)));
  return result;
}

struct Start {
  Mat V, W, H, R;
  Vec scale;
};

Start begin(const Numbers& s, const Mat& input) {
  Start start;
  start.V = input;
  start.scale.resize(input.cols());
  start.H.resize(s.K, input.cols());
  for (Index n = 0; n < input.cols(); ++n) {
    start.scale[n] = sample_scale(s, input.col(n));
    start.V.col(n) /= start.scale[n];
    start.H.col(n) = initial_code(s, 0, n);
  }
  start.W = initial_dictionary(s, input.rows());
  start.R =
      by_column(start.V - start.W * start.H, [&](const Vec& e) { return shrink_outlier(s, e); });
  return start;
}

// W, H and R that are returned, with the means that the online algorithms keep.
State finish(const Numbers& s, const Start& start, const Mat& W, const Mat& H, const Mat& R) {
  const auto N = double(start.V.cols());
  State state;
  state.W = W;
  state.A = H * H.transpose() / N;
  state.B = (start.V - R) * H.transpose() / N;
  for (Index n = 0; n < H.cols(); ++n) {
    state.c += ((start.V.col(n) - R.col(n)).squaredNorm() / 2 + outlier_penalty(s, R.col(n)) +
                code_penalty(s, H.col(n))) /
               N;
  }
  state.H = H * start.scale.asDiagonal();
  state.R = R * start.scale.asDiagonal();
  return state;
}

}  // namespace

State bpgd(const Numbers& s, const Mat& input) {
  const Start start = begin(s, input);
  const Mat& V = start.V;
  const Mat I = Mat::Identity(s.K, s.K);
  const double l1 = double(V.cols()) * s.dictionary_l1;
  const double l2 = double(V.cols()) * s.dictionary_l2;
  Mat W = start.W;
  Mat H = start.H;
  Mat R = start.R;
  for (Index k = 0; k < s.iterations; ++k) {
    const double eta1 = s.kappa_h / squared_spectral_norm(W);
    H = by_column(H - eta1 * W.transpose() * (W * H + R - V),
                  [&](const Vec& h) { return prox_code(s, h, eta1); });
    R = by_column(V - W * H, [&](const Vec& e) { return shrink_outlier(s, e); });
    const double eta2 = s.kappa_w / (H * H.transpose() + l2 * I).norm();
    const Mat gradient = ((W * H + R - V) * H.transpose() + l2 * W).array() + l1;
    W = project(s.set, W - eta2 * gradient);
  }
  return finish(s, start, W, H, R);
}

State badmm(const Numbers& s, const Mat& input) {
  const Start start = begin(s, input);
  const Mat& V = start.V;
  const Mat I = Mat::Identity(s.K, s.K);
  const double l1 = double(V.cols()) * s.dictionary_l1;
  const double l2 = double(V.cols()) * s.dictionary_l2;
  Mat W = start.W, H = start.H, R = start.R;
  Mat Psi = W, U = H, Q = R;
  Mat D = Mat::Zero(W.rows(), W.cols());
  Mat alpha = Mat::Zero(H.rows(), H.cols());
  Mat beta = Mat::Zero(R.rows(), R.cols());
  for (Index k = 0; k < s.iterations; ++k) {
    H = (W.transpose() * W + s.rho1 * I).inverse() * (W.transpose() * (V - R) + s.rho1 * U - alpha);
    R = by_column(s.rho2 * Q + V - beta - W * H, [&](const Vec& x) {
      return Vec(soft_threshold(x, s.lambda) / (1 + s.rho2 + s.outlier_l2));
    });
    const Mat right = ((V - R) * H.transpose() - D + s.rho3 * Psi).array() - l1;
    W = right * (H * H.transpose() + (l2 + s.rho3) * I).inverse();
    U = by_column(H + alpha / s.rho1, [&](const Vec& h) { return prox_code(s, h, 1 / s.rho1); });
    Q = by_column(R + beta / s.rho2, [&](const Vec& r) { return project_outlier(s, r); });
    Psi = project(s.set, W + D / s.rho3);
    alpha += s.rho1 * (H - U);
    beta += s.rho2 * (R - Q);
    D += s.rho3 * (W - Psi);
  }
  return finish(s, start, Psi, U, Q);
}

}  // namespace tamis::textbook
