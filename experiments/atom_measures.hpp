// What atoms look like, in numbers.
#pragma once

#include <vector>

#include "common.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

// How far the energy w² of an atom is from its centre, root mean square, relative to energy that is
// spread evenly over the image: 1 everywhere, 0 in one pixel. Mean over the atoms.
double spread(const Matrix<float>& W, const std::vector<Index>& shape);

// What a 3×3 median takes away from an atom, relative to the atom: ‖w − median(w)‖/‖w‖. Single
// pixels that stand out (salt and pepper) make it large. Mean over the atoms.
double speckle(const Matrix<float>& W, const std::vector<Index>& shape);

// Share of the energy in negative entries
double negative_share(const Matrix<float>& W);

// hoyer, spread, speckle, negative_share
Json atom_measures(const Matrix<float>& W, const std::vector<Index>& shape);

}  // namespace tamis::experiments
