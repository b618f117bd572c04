// A lock that a forked process can use, too: it inherits the locks of threads that it does not
// have.
#pragma once

#include <unistd.h>

#include <memory>
#include <shared_mutex>
#include <stdexcept>

namespace tamis::python {

class ForkableMutex {
 public:
  // With the GIL, before it is released to wait for the lock
  std::shared_mutex& ready() {
    if (process_ == ::getpid()) return *mutex_;
    if (!mutex_->try_lock_shared())
      throw std::runtime_error(
          "this process was forked while another thread was changing the estimator: use a copy "
          "made before");
    // The old one stays locked by readers that are gone.
    mutex_.release();  // NOLINT(bugprone-unused-return-value)
    mutex_ = std::make_unique<std::shared_mutex>();
    process_ = ::getpid();
    return *mutex_;
  }

 private:
  std::unique_ptr<std::shared_mutex> mutex_ = std::make_unique<std::shared_mutex>();
  pid_t process_ = ::getpid();
};

}  // namespace tamis::python
