#include "support/penalty_weights.hpp"

#include <cmath>
#include <numeric>
#include <variant>

namespace judge {

using tamis::Index;
using tamis::Vector;

namespace {

// weight·x where 0·∞ is 0: no outlier costs nothing, a share of 0 of an infinite weight is no
// weight
double times(double weight, double x) { return x == 0 ? 0 : weight * x; }

struct WeightsOf {
  double lambda;  // of the outlier penalty; the code penalties carry their own

  BlockPenalty operator()(const tamis::NoCodePenalty&) const { return {}; }
  BlockPenalty operator()(const tamis::Lasso& p) const { return {.l1 = p.lambda}; }
  BlockPenalty operator()(const tamis::Tikhonov& p) const { return {.quadratic = p.lambda}; }
  BlockPenalty operator()(const tamis::GroupLasso& p) const { return {.group = p.lambda}; }
  BlockPenalty operator()(const tamis::SparseGroupLasso& p) const {
    return {.l1 = (1 - p.nu) * p.lambda, .group = p.nu * p.lambda};
  }
  BlockPenalty operator()(const tamis::L1&) const { return {.l1 = lambda}; }
  BlockPenalty operator()(const tamis::ElasticOutliers& p) const {
    return {.l1 = lambda, .quadratic = p.nu2};
  }
  BlockPenalty operator()(const tamis::GroupOutliers&) const { return {.group = lambda}; }
  BlockPenalty operator()(const tamis::SparseGroupOutliers& p) const {
    return {.l1 = times(lambda, 1 - p.nu), .group = times(lambda, p.nu)};
  }
};

template <class IsMissing>
std::vector<WeightedBlock> blocks_of(const tamis::Groups& groups, Index size,
                                     const BlockPenalty& weights, IsMissing is_missing) {
  tamis::Groups all = groups;
  if (all.empty()) {
    all.emplace_back(std::size_t(size));
    std::iota(all[0].begin(), all[0].end(), Index(0));
  }
  std::vector<WeightedBlock> blocks;
  for (const auto& group : all) {
    WeightedBlock block{{}, weights};
    block.penalty.group *= std::sqrt(double(group.size()));
    for (const Index i : group) {
      if (!is_missing(i)) block.members.push_back(i);
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

std::vector<WeightedBlock> code_blocks(const EncodeProblem& problem) {
  const BlockPenalty weights = std::visit(WeightsOf{0}, problem.code_penalty);
  return blocks_of(problem.code_groups, problem.W.cols(), weights, [](Index) { return false; });
}

std::vector<WeightedBlock> outlier_blocks(const EncodeProblem& problem) {
  const BlockPenalty weights = std::visit(WeightsOf{problem.lambda}, problem.outlier_penalty);
  return blocks_of(problem.outlier_groups, problem.v.size(), weights,
                   [&](Index i) { return std::isnan(problem.v[i]); });
}

double penalty_value(const Vector<double>& x, const std::vector<WeightedBlock>& blocks) {
  double sum = 0;
  for (const WeightedBlock& block : blocks) {
    double absolute = 0;
    double squares = 0;
    for (const Index i : block.members) {
      absolute += std::abs(x[i]);
      squares += x[i] * x[i];
    }
    sum += times(block.penalty.l1, absolute) + times(block.penalty.group, std::sqrt(squares)) +
           block.penalty.quadratic / 2 * squares;
  }
  return sum;
}

}  // namespace judge
