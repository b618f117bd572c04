// Arrays of an HDF5 file whose entries are in plain files: the names of these are in a heap.
#pragma once

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

// The message that lists these files: whether each has a name. Where one does not, the library
// keeps the heap open, and cannot be ended any more.
bool sound_external(Bytes files, Place place, const Read& more);

}  // namespace tamis::hdf5
