// Arrays in HDF5 files, any bytes. Most of this is the HDF5 library, which is not instrumented; see
// hdf5_built for what is ours.
#include "fuzz/samples.hpp"

FUZZ(hdf5_array) {
  using namespace tamis::fuzz;
  const std::string path = folder().write("x.h5", bytes);
  check_input(path);
  check_input(path + ":/data");
}
