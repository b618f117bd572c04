// What the first frames tell about a scene, whoever stands in it: medians over time.
#pragma once

#include <span>

#include "parallel.hpp"
#include "tamis/types.hpp"
#include "tamis/video/frame.hpp"

namespace tamis {

struct WarmUp {
  Vector<float> median;  // of each entry, in gray levels
  Vector<float> change;  // median of |difference from the frame before|
  double sigma;          // noise scale of all entries about their medians, at least half a level
};

// At least one frame, all of one shape.
WarmUp warm_up(std::span<const Frame> frames, const Executor& executor);

// F×K dictionary of unit columns: the median, with as much of K of the frames as noise explains. A
// frame as it is would bake into W whoever is in it.
Matrix<float> first_atoms(std::span<const Frame> frames, const WarmUp& warm, Index K);

}  // namespace tamis
