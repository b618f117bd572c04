// A thread in which libraries that talk to the user are not heard.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tamis {

// The image and video libraries print their remarks (also about files that are perfectly good) to
// the standard error output, where they would spoil messages and progress bars. Sending that output
// of the whole process elsewhere would swallow ours too. So they are called in a thread that has a
// table of open files of its own, in which standard error leads nowhere. Files opened there exist
// only there: whatever uses one must run there, its destructor as well.
//
// Where the system cannot do that (other than Linux ≥ 5.9) everything works, with remarks.
class QuietThread {
 public:
  QuietThread();
  ~QuietThread();
  QuietThread(const QuietThread&) = delete;
  QuietThread& operator=(const QuietThread&) = delete;

  // Waits until work() is done there; what it throws comes out here. OpenCV's own parallel loops
  // do not start threads in it.
  void run(const std::function<void()>& work);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  std::exception_ptr problem_;
  bool done_ = false;
  bool stop_ = false;
  std::thread thread_;  // last: it uses the others
};

// A video file that is open in such a thread. Closing it anywhere else would close another file
// that happens to have its number there.
template <class Video>
struct QuietVideo {
  QuietVideo() = default;
  ~QuietVideo() {
    try {
      thread.run([this] { file.release(); });
    } catch (...) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
    }
  }
  QuietVideo(const QuietVideo&) = delete;
  QuietVideo& operator=(const QuietVideo&) = delete;

  QuietThread thread;
  Video file;
};

}  // namespace tamis
