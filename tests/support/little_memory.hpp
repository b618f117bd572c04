// While it lives, the process gets only so much more memory: what asks for what a header claims
// gets std::bad_alloc. Sanitizers reserve too much for such a limit; nothing is limited then.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

namespace tamis::test {

class LittleMemory {
 public:
  explicit LittleMemory(rlim_t more = rlim_t(256) << 20) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    unsigned long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
      limited_ = std::fscanf(file, "%lu", &pages) == 1 && ::getrlimit(RLIMIT_AS, &before_) == 0;
      std::fclose(file);
    }
    rlimit now = before_;
    now.rlim_cur = rlim_t(pages) * rlim_t(::sysconf(_SC_PAGESIZE)) + more;
    limited_ = limited_ && ::setrlimit(RLIMIT_AS, &now) == 0;
#else
    (void)more;
#endif
  }
  ~LittleMemory() {
    if (limited_) ::setrlimit(RLIMIT_AS, &before_);
  }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_{};
  bool limited_ = false;
};

}  // namespace tamis::test
