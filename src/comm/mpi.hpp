// Ranks that are processes started by mpirun, or whatever the cluster has instead. Compiled into
// the program alone, so that the library does not depend on MPI: mpi.cpp where there is one,
// no_mpi.cpp elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tamis/communicator.hpp"

namespace tamis {

class MpiWorld {
 public:
  // What to do with the one message of a job that failed
  using Report = std::function<void(int code, const std::string& message)>;

  // Starts MPI. Throws SettingsError if there is none, or another than the launcher's.
  explicit MpiWorld(Report report);
  ~MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  Communicator& comm();
  int ranks_here() const;  // of which this machine has so many

  // This rank cannot go on: one rank reports "rank R on HOST: message" and all end with this code.
  // Rank 0 reports for the others, as soon as it waits for them, so that there is one message also
  // when several fail; if it does not come to that within seconds, the failing rank does.
  [[noreturn]] void fail(int code, const std::string& message);
  // Waits for the others and ends MPI.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether an MPI launcher started this process as one of several, by its environment alone
bool launched_with_others();
// How many, if the launcher says it; otherwise 0
int launched_ranks();

}  // namespace tamis
