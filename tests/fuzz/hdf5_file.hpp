// What must hold of an HDF5 file with any bytes.
#pragma once

#include <hdf5.h>

#include "fuzz/samples.hpp"

namespace tamis::fuzz {

// Whether the only array in it was read
inline bool check_hdf5(Bytes bytes) {
  const std::string path = folder().write("x.h5", bytes);
  const bool read = check_input(path);
  check_input(path + ":/data");
  // What the library could not close would end the program when it ends.
  require(H5Fget_obj_count(hid_t(H5F_OBJ_ALL), H5F_OBJ_FILE) == 0, "nothing stays open");
  return read;
}

}  // namespace tamis::fuzz
