#include "experiments/clean_objective.hpp"

#include <Eigen/Dense>

namespace tamis::experiments {

void CleanObjective::add(const ConstMatrixRef<float>& clean, const ConstMatrixRef<float>& H) {
  if (n_ == 0) {
    A_.setZero(H.rows(), H.rows());
    B_.setZero(clean.rows(), H.rows());
  }
  n_ += H.cols();
  // A mini-batch is small: its sums lose nothing in float.
  A_ += (H * H.transpose()).cast<double>();
  B_ += (clean * H.transpose()).cast<double>();
  c_ += clean.cast<double>().squaredNorm() / 2;
}

double CleanObjective::value(const Matrix<float>& W) const {
  if (n_ == 0) return 0;
  const Matrix<double> Wd = W.cast<double>();
  const Matrix<double> G = Wd.transpose() * Wd;
  return (G.cwiseProduct(A_).sum() / 2 - Wd.cwiseProduct(B_).sum() + c_) / double(n_);
}

}  // namespace tamis::experiments
