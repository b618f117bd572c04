#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "tamis/error.hpp"

namespace tamis {
namespace {

// `timeout` and terminals signal a program and its group: that is one wish, though it comes twice.
constexpr std::int64_t one_wish = 1'000'000'000;  // nanoseconds

// When the first signal came; 0: none did. The signal handler has nothing else to write to.
std::atomic<std::int64_t> first = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// A handler may call this, but not what C++ has for it.
std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void note(int signal) {
  std::int64_t before = 0;
  const std::int64_t time = now();
  if (first.compare_exchange_strong(before, time) || time - before < one_wish) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // comes when this has returned
}

}  // namespace

void watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
}

bool interrupt_requested() { return first != 0; }

void stop_if_interrupted() {
  if (interrupt_requested()) throw Interrupted("stopped; nothing was written");
}

}  // namespace tamis
