// Registry of the penalties ψ on the codes h ≥ 0. See docs/extending.md.
#pragma once

#include <variant>

#include "tamis/regularizer/code_group.hpp"
#include "tamis/regularizer/code_lasso.hpp"
#include "tamis/regularizer/code_none.hpp"
#include "tamis/regularizer/code_sparse_group.hpp"
#include "tamis/regularizer/code_tikhonov.hpp"

namespace tamis {

using CodePenalty = std::variant<NoCodePenalty, Lasso, Tikhonov, GroupLasso, SparseGroupLasso>;

}  // namespace tamis
