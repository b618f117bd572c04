#include "video/low_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/blas.hpp"
#include "noise.hpp"
#include "problem.hpp"

namespace tamis {
namespace {

constexpr double white = 255;
constexpr double memory = 0.987;     // of σ̂, per frame
constexpr double least_sigma = 0.5;  // gray levels

Settings model_settings(const SceneSettings& scene) {
  Settings settings;
  settings.rank = scene.rank;
  settings.lambda = scene.lambda;
  settings.forget = scene.forget;
  settings.batch_size = scene.batch_size;
  return settings.resolved();
}

Fast steady(Index iterations) {
  Fast fast;
  fast.iterations = iterations;
  fast.sweeps = 1;
  fast.warm_start = true;
  return fast;
}

// About every how many entries one is taken; without a common factor with the width, so that the
// grid's columns differ from row to row.
Index grid_step(Index F, Index row, Index most) {
  Index step = std::max<Index>(1, (F + most - 1) / most);
  while (std::gcd(step, row) > 1) ++step;
  return step;
}

}  // namespace

LowRank::LowRank(const SceneSettings& settings, const Executor& executor)
    : settings_(settings),
      executor_(executor),
      algorithm_(steady(settings.iterations), model_settings(settings)) {}

void LowRank::start(std::span<const Frame> frames, const WarmUp& warm) {
  const Index K = settings_.rank;
  const FrameShape& shape = frames.front().shape;
  model_ = {};
  model_.settings = model_settings(settings_);
  model_.W = first_atoms(frames, warm, K);
  model_.A.setZero(K, K);
  model_.B.setZero(shape.entries(), K);
  algorithm_ = FastAlgorithm<float>(steady(settings_.iterations), model_.settings);
  batch_.Y.resize(shape.entries(), settings_.batch_size);
  batch_.H.resize(K, settings_.batch_size);
  batch_.set_samples(batch_.Y);
  batch_.weight.setOnes(settings_.batch_size);
  batch_.loss.setZero(settings_.batch_size);
  batch_.constant.setZero(settings_.batch_size);
  queued_ = 0;
  sigma_ = warm.sigma;
  step_ = grid_step(shape.entries(), shape.width * shape.channels, most_entries);
  const Index on_grid = (shape.entries() + step_ - 1) / step_;
  grid_.resize(on_grid, 1);
  W_grid_.resize(on_grid, K);
  frame_.weight.setOnes(1);
  gather_dictionary();
}

void LowRank::gather_dictionary() {
  for (Index k = 0; k < W_grid_.cols(); ++k)
    for (Index j = 0; j < W_grid_.rows(); ++j) W_grid_(j, k) = model_.W(j * step_, k);
}

void LowRank::gather_frame(const Frame& frame) {
  for (Index j = 0; j < grid_.rows(); ++j) grid_(j, 0) = frame.data[std::size_t(j * step_)];
  frame_.set_samples(grid_, white);
}

// σ̂ of the frame's residuals, in gray levels, after encoding it
double LowRank::residual_scale(FastAlgorithm<float>& algorithm, double lambda) {
  frame_.count_residuals = true;
  frame_.resize_results(settings_.rank);
  algorithm.encode(W_grid_, Problem<float>(model_.settings, lambda / white), executor_, frame_);
  std::vector<double> counts(ResidualHistogram::bins, 0);
  frame_.residuals.add_to(counts);
  return noise_scale(counts) * white;
}

void LowRank::encode(const Frame& frame) {
  constexpr double sudden = 3;  // times the usual residuals
  constexpr Index thorough = 30;
  const blas::SingleThreaded guard;
  gather_frame(frame);
  const auto lambda_of = [&](double sigma) {
    return std::visit(
        [&](const auto& rule) {
          const double weight = rule.weight(frame.shape.entries(), sigma / white) * white;
          return rule.follows_noise ? std::max(weight, least_sigma) : weight;
        },
        settings_.lambda);
  };
  lambda_ = lambda_of(sigma_);
  double scale = residual_scale(algorithm_, lambda_);
  if (scale > sudden * sigma_) {
    // The light may have changed at once: then the codes of the frame before are no good start, and
    // λ, made for small residuals, is no good either.
    const Vector<float> h = frame_.H.col(0);
    FastAlgorithm<float> anew(steady(thorough), model_.settings);
    const double other = residual_scale(anew, lambda_of(scale));
    if (other < scale) {
      algorithm_ = FastAlgorithm<float>(steady(settings_.iterations), model_.settings);
      scale = other;
    } else {
      frame_.H.col(0) = h;
    }
  }
  codes_ = frame_.H.col(0) * float(white);
  sigma_ = memory * sigma_ + (1 - memory) * std::max(scale, least_sigma);
}

float* LowRank::next_sample() {
  batch_.H.col(queued_) = frame_.H.col(0);
  return batch_.Y.col(queued_++).data();
}

void LowRank::learn() {
  const blas::SingleThreaded guard;
  queued_ = 0;
  increment_.accumulate(batch_, executor_);
  ++model_.batches;
  const double beta = std::visit(
      [&](const auto& rule) { return rule.beta(model_.batches, batch_.size()); }, settings_.forget);
  increment_.absorb_into(model_, batch_, beta, executor_);
  algorithm_.update(executor_, batch_, increment_, model_);
  gather_dictionary();
  // The codes of the latest frame for the new W, from which the next ones start
  residual_scale(algorithm_, lambda_);
  codes_ = frame_.H.col(0) * float(white);
}

// w ← P₊(w + δ h/‖h‖²), the smallest change of a row for which wᵀh is right; its statistics become
// those of a row that has always been so, b = A w.
void LowRank::correct(const std::vector<Index>& entries, const std::vector<float>& values) {
  const Vector<float> h = codes_;
  const float square = h.squaredNorm();
  if (!(square > 0)) return;
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const Index i = entries[n];
    const float error = values[n] - model_.W.row(i).dot(h);
    model_.W.row(i) = (model_.W.row(i) + error / square * h.transpose()).cwiseMax(0.f);
    model_.B.row(i) = model_.W.row(i).cast<double>() * model_.A;
    for (Index j = 0; j < queued_; ++j) batch_.Y(i, j) = model_.W.row(i).dot(batch_.H.col(j));
  }
  gather_dictionary();
}

}  // namespace tamis
