// Ranks that are threads of one process: for tests, and for programs that have their own threads.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tamis/communicator.hpp"

namespace tamis {

class ThreadGroup {
 public:
  explicit ThreadGroup(int size);
  ~ThreadGroup();
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  int size() const;
  // To be used by one thread at a time. Sums are taken in the order of ranks, so they have the same
  // bits in every run.
  Communicator& rank(int rank);

  // A rank cannot go on: all who wait for it, now or later, throw RankError.
  void fail();

  // work(communicator) in a thread for each rank. When one of them throws, the others are told, and
  // what it threw is thrown here.
  static void run(int size, const std::function<void(Communicator&)>& work);

 private:
  struct Meeting;
  class Member;
  std::unique_ptr<Meeting> meeting_;
  std::unique_ptr<Meeting> late_meeting_;  // of those who do something else meanwhile
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace tamis
