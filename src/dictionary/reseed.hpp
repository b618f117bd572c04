// Atoms that no sample uses, or that have vanished, get a new start: a sample of the mini-batch (of
// all ranks').
#pragma once

#include "batch.hpp"
#include "ranks.hpp"
#include "tamis/model.hpp"

namespace tamis {

// Their statistics start anew; what the others explain is unchanged. Samples of weight 0 are not
// used.
template <class T>
void reseed_dead_atoms(const Batch<T>& batch, const Ranks& ranks, Model<T>& model);

}  // namespace tamis
