// The name of an output while it is being made.
#pragma once

#include <string>

namespace tamis {

// The file or folder is made under part() and appears under its own name with publish(). Without
// that it is gone when this object is, unless keep() was called: a run that was stopped finds it
// again.
class PartFile {
 public:
  // Throws FileError if the target exists and force is not given, or its folder does not.
  // keep_ending: x.mp4 is made as x.part.mp4, for libraries that go by the ending of a name.
  PartFile(std::string path, bool force, bool keep_ending = false);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& part() const { return part_; }
  void keep() { keep_ = true; }
  // Flushes to the disk and renames.
  void publish();

 private:
  std::string path_, part_;
  bool keep_ = false;
  bool published_ = false;
};

}  // namespace tamis
