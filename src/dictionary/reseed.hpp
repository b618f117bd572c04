// Atoms that no sample uses, or that have vanished, get a new start: a sample of the mini-batch.
#pragma once

#include "batch.hpp"
#include "tamis/model.hpp"

namespace tamis {

// Returns the number of atoms replaced. Their statistics start anew; the others' value is
// unchanged.
template <class T>
Index reseed_dead_atoms(const Batch<T>& batch, Model<T>& model);

}  // namespace tamis
