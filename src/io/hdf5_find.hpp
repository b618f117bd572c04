// Which array of an HDF5 file is meant. To be used within with_hdf5.
#pragma once

#include <string>

#include "io/hdf5.hpp"

namespace tamis {

struct Hdf5Array {
  H5::H5File file;
  std::string name;  // the whole one, which may lead into another file
};

// The array of this name, or the only one that can be meant. Throws FileError if there is none, or
// if the file cannot be read.
Hdf5Array find_array(const Hdf5Name& name);

bool numeric(const H5::DataSet& dataset);

}  // namespace tamis
