// A stream in which every image appears several times: each is judged by its last appearance, when
// the dictionary was best.
#pragma once

#include <vector>

#include "experiments/fitting.hpp"

namespace tamis::experiments {

// Per image its last place in the stream
std::vector<Index> last_appearances(const Samples& samples, Index images);

// W_N h of each image, with the code found on its last appearance
Matrix<float> reconstructions(const Fitted& fitted, const std::vector<Index>& places);

}  // namespace tamis::experiments
