// The sets C written down once more, for brute force: which points they hold, coordinate by
// coordinate.
#pragma once

#include <string>
#include <vector>

#include "support/nested_search.hpp"
#include "support/random_data.hpp"
#include "tamis/constraint/constraint.hpp"
#include "tamis/types.hpp"

namespace judge {

// Every set, the parameterised ones with ordinary and with degenerate parameters.
std::vector<tamis::Constraint> all_constraints();
std::string describe(const tamis::Constraint& constraint);

// What entry i of a column of n entries may be, given those before it; `reach` bounds the unbounded
// sets.
SearchRange column_range(const tamis::Constraint& constraint, const tamis::Vector<double>& w,
                         tamis::Index i, tamis::Index n, double reach);

// How far w is outside of C; 0 inside.
double violation(const tamis::Constraint& constraint, const tamis::Vector<double>& w);

// A point of C: on a corner, a face or in the interior, entries of the size of `reach` where C has
// no bound.
tamis::Vector<double> random_member(const tamis::Constraint& constraint, tamis::Index n,
                                    double reach, RandomData& random);

// w scaled such that it meets the bound of C; w itself where C has none. w ≥ 0 unless C is ℝ.
tamis::Vector<double> scaled_to_bound(const tamis::Constraint& constraint,
                                      const tamis::Vector<double>& w);

}  // namespace judge
