// Arrays in HDF5 files, any bytes. Most of this is the HDF5 library, which is not instrumented; see
// hdf5_built for what is ours.
#include "fuzz/hdf5_file.hpp"

FUZZ(hdf5_array) { tamis::fuzz::check_hdf5(bytes); }
