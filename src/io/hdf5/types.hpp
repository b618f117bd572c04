// Types of the entries of arrays in an HDF5 file, one within the other.
#pragma once

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

// Fails where it says more than it holds, or what the library would believe without a look.
void skip_type(Cursor& in);

}  // namespace tamis::hdf5
