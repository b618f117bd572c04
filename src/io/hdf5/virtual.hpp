// Arrays of an HDF5 file whose entries are those of others ("virtual"): which parts go where is
// said in a block of the file's global heap, whose numbers version 1.10 of the library believes.
#pragma once

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

// A message with the layout of an array, if that is virtual: whether all that it refers to is
// there.
bool sound_virtual(Bytes layout, Place place, const Read& more);

}  // namespace tamis::hdf5
