// HDF5 files on disks that fail, and damaged ones. The library reads and writes through a driver of
// ours, because with its own a file that is cut short while it is read has zeros from there on, a
// full disk makes it crash (it closes what it could not write twice), and so does a header that
// lies about its length. To be used within with_hdf5.
#pragma once

#include <H5Cpp.h>

#include <memory>
#include <string>

namespace tamis {

// For reading. Throws FileError, or H5::Exception if it is no HDF5 file; so does reading it.
H5::H5File open_hdf5(const std::string& path);

// A file that is being written. The library is told that all is well; the first error is kept in
// mind, and nothing more done to the disk from then on.
class Hdf5Output {
 public:
  explicit Hdf5Output(const std::string& path);

  const H5::H5File& file() const { return file_; }
  // Everything is written, or FileError is thrown.
  void close();

  struct Disk;

 private:
  std::shared_ptr<Disk> disk_;
  H5::H5File file_;
};

}  // namespace tamis
