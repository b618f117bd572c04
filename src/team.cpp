#include "team.hpp"

#include <pthread.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "processors.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace tamis {
namespace {

using Clock = std::chrono::steady_clock;
// Longer than what lies between two loops of a mini-batch, shorter than anything a user would
// notice another process to wait for
constexpr std::chrono::microseconds patience(1000);
// A thread that waits for work looks so often before it offers its core: the shortest loops are
// done in the time that an offer takes, and whoever comes late to them lets the caller do his part
// too, which then has to come from the other's cache.
constexpr int looks_per_yield = 64;
// The caller's wait for the last blocks of others before it offers its core
constexpr int short_wait = 2000;

// A forked process has no thread but the one that forked, and what TBB knows of the others is not
// true any more: from then on everything is done by the caller.
std::atomic<bool> alone = false;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

int allowed() {
  static const int processors = processors_allowed();
  return processors;
}

}  // namespace

struct Team::State {
  class Task;

  // The blocks that nobody has taken: [low, high), in one word
  alignas(apart) std::atomic<std::uint64_t> open{0};
  alignas(apart) std::atomic<Index> unfinished{0};
  alignas(apart) std::atomic<int> present{0};  // tasks that help, or soon will
  enum class Offer { none, open, taken };
  alignas(apart) std::atomic<Offer> offer{Offer::none};
  Errand errand = nullptr;
  void* errand_context = nullptr;
  std::atomic<bool> closed{false};
  std::atomic<bool> failed{false};
  Work work = nullptr;
  const void* context = nullptr;
  std::exception_ptr error;

  // A word that was read in an earlier loop does no harm: if it is still the same, so is the offer.
  std::optional<Index> take(bool from_below) {
    std::uint64_t now = open.load(std::memory_order_relaxed);
    for (;;) {
      const auto low = std::uint32_t(now >> 32);
      const auto high = std::uint32_t(now);
      if (low >= high) return std::nullopt;
      const std::uint64_t next = from_below ? now + (std::uint64_t(1) << 32) : now - 1;
      if (open.compare_exchange_weak(now, next, std::memory_order_acq_rel))
        return from_below ? low : high - 1;
    }
  }

  void do_block(Index block, int thread) {
    try {
      work(context, block, thread);
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
    unfinished.fetch_sub(1, std::memory_order_acq_rel);
  }

  // A block, or if there is none an errand
  bool do_something(int thread) {
    if (const auto block = take(false)) {
      do_block(*block, thread);
      return true;
    }
    auto expected = Offer::open;
    if (offer.load(std::memory_order_relaxed) != expected ||
        !offer.compare_exchange_strong(expected, Offer::taken, std::memory_order_acq_rel))
      return false;
    errand(errand_context);
    offer.store(Offer::none, std::memory_order_release);
    return true;
  }

  void help(int thread) {
    auto last = Clock::now();
    for (int looks = 1; !closed.load(std::memory_order_relaxed); ++looks) {
      if (do_something(thread)) {
        last = Clock::now();
        looks = 0;
        continue;
      }
      pause();
      if (looks % looks_per_yield != 0) continue;
      std::this_thread::yield();  // to a thread that reads, or to another process
      if (Clock::now() - last > patience) break;
    }
    present.fetch_sub(1);
  }
};

// What TBB is given to run. How it hands tasks over is not seen by ThreadSanitizer; an atomic is.
class Team::State::Task {
 public:
  explicit Task(State& state) { state_.store(&state, std::memory_order_release); }
  Task(const Task& other) {
    state_.store(other.state_.load(std::memory_order_relaxed), std::memory_order_release);
  }
  Task& operator=(const Task&) = delete;
  ~Task() = default;
  void operator()() const {
    state_.load(std::memory_order_acquire)->help(tbb::this_task_arena::current_thread_index());
  }

 private:
  std::atomic<State*> state_;
};

// States are never freed but used again: a task that was to help may begin when its team is gone,
// or never, if the program ends before.
struct Team::States {
  static States& all() {
    static States* const states = [] {
      pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
                     [] {
                       alone = true;
                       all().mutex.unlock();
                     });
      return new States;
    }();
    return *states;
  }

  State* take() {
    const std::lock_guard lock(mutex);
    const auto idle = std::ranges::find_if(
        kept, [](const auto& state) { return state->closed && state->present == 0; });
    if (idle == kept.end()) return kept.emplace_back(std::make_unique<State>()).get();
    (*idle)->closed = false;
    return idle->get();
  }

  static const bool ready;
  std::mutex mutex;
  std::vector<std::unique_ptr<State>> kept;
};

struct Team::Arena : tbb::task_arena {
  using tbb::task_arena::task_arena;
};

// One slot of the arena is reserved for a caller who never enters: workers begin with number 1.
Team::Team(int threads)
    : arena_(std::make_unique<Arena>(threads, 1)),
      state_(States::all().take()),
      helpers_(threads - 1) {}

Team::~Team() {
  withdraw();
  state_->closed = true;
  // NOLINTNEXTLINE(bugprone-unused-return-value): ending it would wait for the threads that are gone
  if (alone) arena_.release();
}

// When the library is loaded: a process forked while a thread first asks would wait for it forever.
const bool Team::States::ready = (all(), allowed(), true);

int Team::most_threads() {
  return alone ? 1 : std::min(tbb::this_task_arena::max_concurrency(), allowed());
}

void Team::wake() {
  if (alone) return;
  State& state = *state_;
  while (state.present.load(std::memory_order_relaxed) < helpers_) {
    state.present.fetch_add(1);
    arena_->enqueue(State::Task(state));
  }
}

void Team::offer(Errand errand, void* context) {
  State& state = *state_;
  if (alone || helpers_ == 0 || state.offer.load(std::memory_order_acquire) != State::Offer::none)
    return;
  state.errand = errand;
  state.errand_context = context;
  state.offer.store(State::Offer::open, std::memory_order_release);
}

void Team::withdraw() {
  State& state = *state_;
  auto expected = State::Offer::open;
  if (state.offer.compare_exchange_strong(expected, State::Offer::none)) return;
  while (!alone && state.offer.load(std::memory_order_acquire) != State::Offer::none)
    std::this_thread::yield();
}

void Team::run(Index blocks, Work work, const void* context) {
  State& state = *state_;
  if (blocks > Index(std::numeric_limits<std::uint32_t>::max()))
    throw std::length_error("too many blocks for a loop");
  state.work = work;
  state.context = context;
  state.unfinished.store(blocks, std::memory_order_relaxed);
  state.open.store(std::uint64_t(blocks), std::memory_order_release);
  wake();
  while (const auto block = state.take(true)) state.do_block(*block, 0);
  for (int i = 0; state.unfinished.load(std::memory_order_acquire) > 0; ++i)
    i < short_wait ? pause() : std::this_thread::yield();
  if (state.failed.exchange(false)) std::rethrow_exception(std::exchange(state.error, nullptr));
}

}  // namespace tamis
