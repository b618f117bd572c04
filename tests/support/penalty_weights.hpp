// What the named penalties mean, as weighted blocks: the only place where the verifier reads them.
#pragma once

#include <vector>

#include "support/kkt.hpp"
#include "support/kkt_block.hpp"

namespace judge {

struct WeightedBlock {
  std::vector<tamis::Index> members;  // observed ones only
  BlockPenalty penalty;  // group weight with the factor √ξ, ξ counting missing members too
};

std::vector<WeightedBlock> code_blocks(const EncodeProblem& problem);
std::vector<WeightedBlock> outlier_blocks(const EncodeProblem& problem);

// Σ l1‖x_α‖₁ + group‖x_α‖₂ + quadratic/2‖x_α‖² over the blocks α; 0·∞ counts as 0
double penalty_value(const tamis::Vector<double>& x, const std::vector<WeightedBlock>& blocks);

}  // namespace judge
