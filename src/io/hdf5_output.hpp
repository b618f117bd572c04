// An HDF5 file that is being written, on a disk that may be full.
#pragma once

#include <H5Cpp.h>

#include <memory>
#include <string>

namespace tamis {

// The HDF5 library cannot live with a disk that fails: it closes what it could not write twice, and
// crashes. So it writes through a driver of ours, which tells it that all is well, keeps the first
// error in mind, and does nothing more to the disk from then on. To be used within with_hdf5.
class Hdf5Output {
 public:
  explicit Hdf5Output(const std::string& path);
  ~Hdf5Output();
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  const H5::H5File& file() const { return file_; }
  // Everything is written, or FileError is thrown.
  void close();

  struct Disk;

 private:
  std::unique_ptr<Disk> disk_;  // first: the file is closed before it goes
  H5::H5File file_;
};

}  // namespace tamis
