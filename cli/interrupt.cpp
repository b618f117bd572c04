#include "interrupt.hpp"

#include <atomic>
#include <csignal>

#include "tamis/error.hpp"

namespace tamis {
namespace {

// The signal handler has nothing else to write to.
std::atomic<bool> requested = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int signal) {
  requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, note) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
}

bool interrupt_requested() { return requested; }

void stop_if_interrupted() {
  if (requested) throw Interrupted("stopped; nothing was written");
}

}  // namespace tamis
