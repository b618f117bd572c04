#include "io/quiet_thread.hpp"

#include <fcntl.h>
#include <unistd.h>
#if __has_include(<linux/close_range.h>)
#include <linux/close_range.h>
#endif

#include <exception>
#include <opencv2/core/utility.hpp>

namespace tamis {
namespace {

void silence() {
#ifdef CLOSE_RANGE_UNSHARE
  // A copy of the table without the other open files: keeping those open here would keep their
  // locks, and pipes from ending.
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_UNSHARE) != 0) return;
  const int nowhere = ::open("/dev/null", O_WRONLY);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  if (nowhere < 0) return;
  ::dup2(nowhere, STDERR_FILENO);
  if (nowhere != STDERR_FILENO) ::close(nowhere);
#endif
}

}  // namespace

QuietThread::QuietThread() : thread_([this] { serve(); }) {}

QuietThread::~QuietThread() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void QuietThread::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  done_ = false;
  changed_.notify_all();
  changed_.wait(lock, [this] { return done_; });
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void QuietThread::serve() {
  silence();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || work_ != nullptr; });
    if (work_ == nullptr) return;
    const auto* work = std::exchange(work_, nullptr);
    lock.unlock();
    std::exception_ptr problem;
    // OpenCV runs a loop of one step here, and loops inside a loop as well.
    cv::parallel_for_({0, 1}, [&](const cv::Range&) {
      try {
        (*work)();
      } catch (...) {
        problem = std::current_exception();
      }
    });
    lock.lock();
    problem_ = problem;
    done_ = true;
    changed_.notify_all();
  }
}

}  // namespace tamis
