// Time that other work on the machine does not change.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace tamis::experiments {

// Seconds of processor time that this process has used.
inline double processor_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// The share of the time since the last question in which a single thread had a processor.
class ProcessorShare {
 public:
  double since_last() {
    const auto now = std::chrono::steady_clock::now();
    const double used = processor_seconds();
    const double passed = std::chrono::duration<double>(now - last_).count();
    const double share = passed > 0 ? std::min(1.0, (used - used_) / passed) : 1.0;
    last_ = now;
    used_ = used;
    return share;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double used_ = processor_seconds();
};

}  // namespace tamis::experiments
