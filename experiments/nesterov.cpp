#include "experiments/nesterov.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "experiments/processor_time.hpp"
#include "random/random.hpp"

namespace tamis::experiments {
namespace {

constexpr double study_tolerance = 1e-3;
constexpr Index study_iterations = 50;

class Pgd {
 public:
  Pgd(const EncodeProblem& problem, bool accelerated, std::uint64_t seed)
      : problem_(problem), accelerated_(accelerated), G_(problem.W.transpose() * problem.W) {
    const Eigen::SelfAdjointEigenSolver<Matrix<float>> eigen(G_, Eigen::EigenvaluesOnly);
    step_ = problem.kappa / eigen.eigenvalues().maxCoeff();
    H_.resize(G_.rows(), problem.V.cols());
    for (Index j = 0; j < H_.cols(); ++j)
      RandomStream(seed, Purpose::codes, 0, j).fill_uniform<float>(H_.col(j));
    Y_ = H_;
    find_outliers();
  }

  void iterate() {
    // h⁺ = P₊(y − (κ/L)(Gy − Wᵀ(v − r)))
    gradient_.noalias() = G_ * Y_;
    gradient_.noalias() -= problem_.W.transpose() * cleaned_;
    before_.swap(H_);
    H_ = (Y_ - step_ * gradient_).cwiseMax(0.F);
    if (accelerated_) {
      const float next = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
      Y_ = H_ + (t_ - 1) / next * (H_ - before_);
      t_ = next;
    } else {
      Y_ = H_;
    }
    find_outliers();
  }

  // ℓ̃ of each sample
  Vector<double> losses() const {
    Vector<double> all(H_.cols());
    for (Index j = 0; j < H_.cols(); ++j) {
      const auto r = problem_.V.col(j) - cleaned_.col(j);
      all[j] = double((cleaned_.col(j) - fitted_.col(j)).squaredNorm()) / 2 +
               double(problem_.lambda * r.lpNorm<1>());
    }
    return all;
  }

 private:
  // v − r with r = S̃_{λ,M}(v − Wh)
  void find_outliers() {
    fitted_.noalias() = problem_.W * H_;
    const float most = problem_.max_outlier;
    const float lambda = problem_.lambda;
    cleaned_ = problem_.V.binaryExpr(fitted_, [=](float v, float p) {
      const float e = v - p;
      const float size = std::min(std::max(std::abs(e) - lambda, 0.F), most);
      return v - std::copysign(size, e);
    });
  }

  const EncodeProblem& problem_;
  bool accelerated_;
  Matrix<float> G_;  // WᵀW
  float step_ = 0;   // κ/L
  float t_ = 1;
  Matrix<float> H_, Y_, before_, gradient_;
  Matrix<float> fitted_, cleaned_;  // Wh, v − r
};

// Which samples have stopped by the study's rule, and where
class StudyRule {
 public:
  explicit StudyRule(const Vector<double>& losses)
      : last_(losses), stopped_(losses.size(), false) {}

  void look(const Vector<double>& losses, Index iteration, EncodeCurve& curve) {
    for (Index j = 0; j < losses.size(); ++j) {
      if (stopped_[std::size_t(j)]) continue;
      const bool settled = std::abs(losses[j] - last_[j]) < study_tolerance * last_[j];
      if (!settled && iteration < study_iterations) continue;
      stopped_[std::size_t(j)] = true;
      curve.stopped_iterations += double(iteration) / double(losses.size());
      curve.stopped_loss += losses[j] / double(losses.size());
    }
    last_ = losses;
  }

 private:
  Vector<double> last_;
  std::vector<bool> stopped_;
};

}  // namespace

EncodeCurve encode_pgd(const EncodeProblem& problem, bool accelerated, Index iterations,
                       std::uint64_t seed) {
  Pgd pgd(problem, accelerated, seed);
  Vector<double> losses = pgd.losses();
  EncodeCurve curve{{losses.mean()}, {0.0}};
  StudyRule rule(losses);
  for (Index k = 1; k <= std::max(iterations, study_iterations); ++k) {
    const double start = processor_seconds();
    pgd.iterate();
    const double passed = processor_seconds() - start;
    losses = pgd.losses();
    curve.loss.push_back(losses.mean());
    curve.seconds.push_back(curve.seconds.back() + passed);
    rule.look(losses, k, curve);
  }
  return curve;
}

}  // namespace tamis::experiments
