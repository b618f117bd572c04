// The file that a stopped fit is kept in.
#pragma once

#include <string>

namespace tamis {

struct Checkpoint {
  // asked: --checkpoint, or empty; out: the model, whose name decides then. Throws FileError if
  // another run was stopped under this name and is not to be replaced.
  Checkpoint(const std::string& asked, const std::string& out, const std::string& resumed,
             bool force);

  // After a run that came to its end: nobody asked for what was only there to go on with it.
  void clean_up(const std::string& resumed, bool saved_at_the_end) const;

  // Where to save now: another run may have been stopped under this name meanwhile.
  std::string free_path() const;

  bool asked_for;
  std::string path;
  bool there = false;  // at the start
};

}  // namespace tamis
