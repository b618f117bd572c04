// Registry of the penalties φ on the outliers r ∈ 𝓡, all scaled by the model's λ. See
// docs/extending.md.
#pragma once

#include <variant>

#include "tamis/regularizer/outlier_group.hpp"
#include "tamis/regularizer/outlier_l1.hpp"
#include "tamis/regularizer/outlier_sparse_group.hpp"
#include "tamis/regularizer/outlier_tikhonov.hpp"

namespace tamis {

using OutlierPenalty = std::variant<L1, ElasticOutliers, GroupOutliers, SparseGroupOutliers>;

}  // namespace tamis
