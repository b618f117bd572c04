// Atoms that no sample uses, or that have vanished, get a new start: a sample of the mini-batch (of
// all ranks').
#pragma once

#include <vector>

#include "batch.hpp"
#include "ranks.hpp"
#include "tamis/model.hpp"

namespace tamis {

// Their statistics start anew; what the others explain is unchanged. Samples of weight 0 are not
// used. since: 0 for atoms that are so new that nothing is known about them yet; empty: none is.
// Returns which got a new start.
template <class T>
std::vector<Index> reseed_dead_atoms(const Batch<T>& batch, const Ranks& ranks,
                                     const Vector<double>& since, Model<T>& model);

}  // namespace tamis
