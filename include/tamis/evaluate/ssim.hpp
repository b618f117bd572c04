// How alike do two pictures look?
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// Structural similarity (Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, IEEE TIP 13(4), 2004), the
// mean over all places of a Gaussian window of 11×11 pixels, σ = 1.5, that lie inside; for pixels
// in [0, 1], K₁ = 0.01, K₂ = 0.03. Colours: the mean over the channels. shape: {height, width} or
// {height, width, channels}. Throws DataError if the pictures differ in size or are too small.
double ssim(const ConstVectorRef<double>& clean, const ConstVectorRef<double>& estimate,
            const std::vector<Index>& shape);

}  // namespace tamis
