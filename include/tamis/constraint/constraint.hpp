// Registry of the sets C that the atoms (columns of W) live in. See docs/extending.md.
#pragma once

#include <variant>

#include "tamis/constraint/ball.hpp"
#include "tamis/constraint/elastic_net.hpp"
#include "tamis/constraint/none.hpp"
#include "tamis/constraint/nonneg.hpp"
#include "tamis/constraint/simplex.hpp"

namespace tamis {

using Constraint = std::variant<Ball, NonNegative, Simplex, ElasticNetBall, Unconstrained>;

}  // namespace tamis
