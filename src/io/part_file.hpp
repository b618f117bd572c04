// The name of an output while it is being made.
#pragma once

#include <string>

namespace tamis {

// Where the rows of a file are collected that can only be made of all of them.
inline std::string rows_name(const std::string& file) { return file + ".rows"; }

// Throws FileError if the target exists and force is not given, or its folder does not.
void check_target(const std::string& path, bool force);

// Of an output that was to be made: is it there under its own name, and nothing of it under another
// any more? path as outputs are named, also FILE.h5:/array.
bool was_published(const std::string& path);

// Of an output of which nobody can go on: removes what was made of it so far.
void remove_unfinished(const std::string& path);

// The file or folder is made under part() and appears under its own name with publish(). Without
// that it is gone when this object is, unless keep() was called (before part(), to go on with one
// that is there): a run that was stopped finds it again.
class PartFile {
 public:
  // Checks the target. keep_ending: x.mp4 is made as x.part.mp4, for libraries that go by the
  // ending of a name.
  PartFile(std::string path, bool force, bool keep_ending = false);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& part() {
    begun_ = true;
    return part_;
  }
  void keep();
  // Is there anything under part()?
  bool begun_before() const;
  // Flushes to the disk and renames. What took the name meanwhile is not replaced without force:
  // FileError, and the result stays under part().
  void publish();

 private:
  std::string path_, part_;
  bool force_;
  bool begun_ = false;
  bool keep_ = false;
  bool published_ = false;
};

}  // namespace tamis
