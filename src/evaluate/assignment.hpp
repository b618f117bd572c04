// One-to-one assignment of least total cost.
//
// Problem. min over injective maps π of Σᵢ cost(i, π(i)), for a matrix with at most as many rows as
// columns.
// Method. The Hungarian algorithm with potentials (Kuhn 1955, Munkres 1957; in this form Jonker,
// Volgenant 1987): rows enter one by one, each along a shortest augmenting path in the reduced
// costs cost(i, j) − u(i) − v(j) ≥ 0.
// Cost: O(rows²·columns).
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// π(i) for every row. Costs must be finite.
std::vector<Index> cheapest_assignment(const Matrix<double>& cost);

}  // namespace tamis
