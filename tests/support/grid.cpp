#include "support/grid.hpp"

#include <algorithm>
#include <limits>

#include "support/constraint_sets.hpp"
#include "support/random_data.hpp"

namespace judge {

using tamis::Index;
using tamis::Matrix;
using tamis::Vector;

namespace {

constexpr Index F = 12;
constexpr Index K = 3;

// Sparse, well-conditioned atoms on the boundary of C.
Matrix<double> planted_dictionary(const tamis::Constraint& constraint, RandomData& random) {
  const bool any_sign = std::holds_alternative<tamis::Unconstrained>(constraint);
  Matrix<double> W(F, K);
  for (Index k = 0; k < K; ++k) {
    Vector<double> w(F);
    for (Index i = 0; i < F; ++i) {
      const bool zero = (i + 4 * k) % F < 4;
      w[i] = zero ? 0 : random.uniform(any_sign ? -1 : 0, 1);
    }
    W.col(k) = scaled_to_bound(constraint, w);
  }
  return W;
}

// Codes that make entries of Wh about 1 whatever the scale of the atoms; some are 0, and every
// fourth sample uses only the second atom, a group of its own.
Matrix<double> planted_codes(const Matrix<double>& W, Index n, RandomData& random) {
  Matrix<double> H(K, n);
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < K; ++k) {
      const bool zero = (j + k) % 4 == 3 || (j % 4 == 3 && k == 2);
      H(k, j) = zero ? 0 : random.uniform(0.3, 1) / W.col(k).cwiseAbs().maxCoeff();
    }
  }
  return H;
}

}  // namespace

std::vector<tamis::Constraint> grid_constraints() {
  return {tamis::Ball{}, tamis::NonNegative{}, tamis::Simplex{}, tamis::ElasticNetBall{0.3, 0.5},
          tamis::Unconstrained{}};
}

std::vector<tamis::CodePenalty> grid_code_penalties() {
  return {tamis::NoCodePenalty{}, tamis::Lasso{0.05}, tamis::Tikhonov{0.1}, tamis::GroupLasso{0.05},
          tamis::SparseGroupLasso{0.08, 0.5}};
}

tamis::Groups grid_code_groups() { return {{0, 2}, {1}}; }

std::vector<OutlierOption> grid_outlier_options() {
  const tamis::Groups blocks = {{0, 1, 2, 3}, {4, 5, 6}, {7, 8, 9, 10, 11}};
  const tamis::Groups column = {};
  return {{tamis::L1{}, column, "l1"},
          {tamis::ElasticOutliers{0.2}, column, "tikhonov"},
          {tamis::GroupOutliers{}, blocks, "group by blocks"},
          {tamis::GroupOutliers{}, column, "group by columns"},
          {tamis::SparseGroupOutliers{0.5}, blocks, "sparse-group by blocks"},
          {tamis::SparseGroupOutliers{0.5}, column, "sparse-group by columns"}};
}

std::vector<Solver> grid_solvers() {
  // The published solvers measure the change of the loss, which says little near the optimum: they
  // run for a fixed time, enough for the slowest cell. `fast` measures its distance from the
  // optimum.
  const tamis::OnlineStopping patient{
      .tolerance = 0, .iterations = 2500, .update_tolerance = 0, .update_iterations = 20000};
  tamis::Opgd opgd;
  opgd.kappa_h = 1;
  opgd.kappa_w = 1;
  opgd.stopping = patient;
  tamis::Oadmm oadmm;
  oadmm.rho2 = 5;  // with 1, blocks of outliers near 0 take ten times as long
  oadmm.stopping = patient;
  tamis::Fast fast;
  fast.iterations = 5000;
  fast.tolerance = 1e-12;
  fast.sweeps = 10000;
  return {{"opgd", opgd}, {"oadmm", oadmm}, {"fast", fast}};
}

std::vector<Solver> hurried(std::vector<Solver> solvers, Index iterations) {
  for (Solver& solver : solvers) {
    if (auto* opgd = std::get_if<tamis::Opgd>(&solver.algorithm)) {
      opgd->stopping.iterations = iterations;
    } else if (auto* oadmm = std::get_if<tamis::Oadmm>(&solver.algorithm)) {
      oadmm->stopping.iterations = iterations;
    } else if (auto* fast = std::get_if<tamis::Fast>(&solver.algorithm)) {
      fast->iterations = iterations;
    }
  }
  return solvers;
}

PlantedData planted_data(const tamis::Constraint& constraint, Index n, std::uint64_t seed) {
  RandomData random(seed);
  PlantedData data;
  data.W = planted_dictionary(constraint, random);
  data.H = planted_codes(data.W, n, random);
  data.V = data.W * data.H;
  for (Index j = 0; j < n; ++j) {
    data.V.col(j) += random.normal_vector(F, 0.05);
    data.V(random.index(F), j) += 1.2;
    data.V(random.index(F), j) -= 0.9;
    if (j % 3 == 1) data.V.col(j).array() += 0.5;  // the whole sample is off
    if (j % 3 == 2) {
      data.V(random.index(F), j) = std::numeric_limits<double>::quiet_NaN();
      data.V(random.index(F), j) = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return data;
}

PlantedStatistics planted_statistics(const tamis::Constraint& constraint, bool rank_deficient,
                                     std::uint64_t seed) {
  RandomData random(seed);
  constexpr Index n = 20;
  const Matrix<double> W = planted_dictionary(constraint, random);
  Matrix<double> H = random.uniform_matrix(K, n);
  if (rank_deficient) H.row(2) = 0.5 * (H.row(0) + H.row(1));
  Matrix<double> V = W * H;
  for (Index j = 0; j < n; ++j) V.col(j) += random.normal_vector(F, 0.3);

  PlantedStatistics statistics;
  statistics.A = H * H.transpose() / double(n);
  statistics.B = V * H.transpose() / double(n);
  statistics.W_start.resize(F, K);
  for (Index k = 0; k < K; ++k) {
    statistics.W_start.col(k) = scaled_to_bound(constraint, random.uniform_matrix(F, 1));
  }
  return statistics;
}

}  // namespace judge
