#include "tamis/io/prefetch.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace tamis {
namespace {

constexpr Index chunk_bytes = Index(1) << 17;
// What is read ahead lasts longer than a thread may have to wait for a core, if that is not too
// much memory; at the least one chunk is being filled, one ready, one of slack.
constexpr Index ahead_bytes = Index(1) << 22;
constexpr Index fewest_slots = 3;
constexpr Index most_slots = 32;

Index bytes_of(Index samples, Index F) {
  return std::max<Index>(1, samples * F * Index(sizeof(float)));
}

// Small mini-batches are read several at a time, to hand over less often; but not from a stream
// of unknown length, which may be slow and live.
Index chunk_size(Index most, Index F, bool patient) {
  return patient ? most * std::max<Index>(1, chunk_bytes / bytes_of(most, F)) : most;
}

std::size_t slot_count(Index chunk, Index F) {
  return std::size_t(std::clamp(ahead_bytes / bytes_of(chunk, F), fewest_slots, most_slots));
}

template <class T>
void append(SampleBlock<T>& to, Index at, const SampleBlock<T>& from, Index begin, Index n) {
  if (from.bytes.size() > 0) {
    to.bytes.middleCols(at, n) = from.bytes.middleCols(begin, n);
  } else {
    to.V.middleCols(at, n) = from.V.middleCols(begin, n);
  }
  if (from.weights.size() > 0) {
    to.weights.conservativeResize(at + n);
    to.weights.tail(n) = from.weights.segment(begin, n);
  }
  // Known for all of them, or for none
  const bool known = from.largest.size() > 0 && to.largest.size() == at;
  to.largest.conservativeResize(known ? at + n : 0);
  if (known) to.largest.tail(n) = from.largest.segment(begin, n);
  if (!from.order.empty())
    to.order.insert(to.order.end(), from.order.begin() + begin, from.order.begin() + begin + n);
}

}  // namespace

// A ring of slots between the thread that reads and the one that computes.
template <class T>
struct PrefetchSource<T>::Ahead {
  struct Slot {
    SampleBlock<T> block;
    std::exception_ptr error;
    bool last = false;
  };

  Ahead(Source<T>& from, const Pass& this_pass, Index samples, std::size_t slots, bool accept_bytes)
      : source(from),
        pass(this_pass),
        chunk(samples),
        accepts_bytes(accept_bytes),
        ring(slots),
        thread([this](const std::stop_token& stop) { run(stop); }) {}
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  void run(const std::stop_token& stop) {
    while (wait_for_room(stop)) {
      const std::lock_guard lock(reading);
      fill();
      if (ended) return;
    }
  }

  // Unless another thread is at it
  void help() {
    if (source.may_wait()) return;
    if (const std::unique_lock lock(reading, std::try_to_lock); lock) fill();
  }

  // The next chunk, if there is one and room for it. Only for whoever holds `reading`.
  void fill() {
    if (ended || !has_room()) return;
    Slot& slot = ring[filling];
    try {
      if (!std::exchange(started, true)) source.start(pass);
      slot.block.accepts_bytes = accepts_bytes;
      slot.block.largest.resize(0);
      slot.last = !source.read(chunk, slot.block);
      slot.block.examine();
    } catch (...) {
      slot.error = std::current_exception();
      slot.last = true;
    }
    ended = slot.last;
    filling = (filling + 1) % ring.size();
    {
      const std::lock_guard lock(mutex);
      ++full;
    }
    filled.notify_one();
  }

  bool has_room() {
    const std::lock_guard lock(mutex);
    return full < ring.size();
  }

  // Once there is no room it waits for a good deal of it: threads that take turns for every chunk
  // would mostly wait for each other.
  bool wait_for_room(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    if (full < ring.size()) return !stop.stop_requested();
    return drained.wait(lock, stop, [&] { return full <= ring.size() / 2; });
  }

  // The next chunk into `current`; false at the end. Throws what the source threw.
  bool next() {
    Slot& slot = ring[taking];
    {
      std::unique_lock lock(mutex);
      filled.wait(lock, [&] { return full > 0; });
    }
    if (slot.error) std::rethrow_exception(slot.error);
    if (slot.last) return false;
    std::swap(current, slot.block);
    used = 0;
    bool roomy = false;
    {
      const std::lock_guard lock(mutex);
      roomy = --full == ring.size() / 2;
    }
    if (roomy) drained.notify_one();
    taking = (taking + 1) % ring.size();
    return true;
  }

  ~Ahead() {
    thread.request_stop();
    source.cancel();
  }

  Index left() const { return current.size() - used; }

  Source<T>& source;
  Pass pass;
  Index chunk;  // samples
  bool accepts_bytes;
  std::vector<Slot> ring;
  std::size_t full = 0;  // slots that wait to be taken, from `taking` on
  std::size_t taking = 0;
  // Of whoever reads
  std::mutex reading;
  bool started = false, ended = false;
  std::size_t filling = 0;
  SampleBlock<T> current;
  Index used = 0;
  std::mutex mutex;
  std::condition_variable filled;
  std::condition_variable_any drained;  // half of it
  std::jthread thread;                  // last: begins when all is there, ends before anything goes
};

template <class T>
PrefetchSource<T>::PrefetchSource(Source<T>& source) : source_(source) {}
template <class T>
PrefetchSource<T>::~PrefetchSource() = default;

template <class T>
void PrefetchSource<T>::start(const Pass& pass) {
  ahead_.reset();
  pass_ = pass;
}

template <class T>
bool PrefetchSource<T>::read(Index most, SampleBlock<T>& block) {
  if (const auto all = samples()) most = std::min(most, std::max<Index>(*all, 1));
  if (!ahead_) {
    const Index chunk = chunk_size(most, features(), samples().has_value());
    ahead_ = std::make_unique<Ahead>(source_, pass_, chunk, slot_count(chunk, features()),
                                     block.accepts_bytes);
  }
  Ahead& ahead = *ahead_;
  if (ahead.left() == 0 && !ahead.next()) return false;
  if (ahead.used == 0 && ahead.left() == most) {
    std::swap(block, ahead.current);
    ahead.used = ahead.current.size();  // of an old block: nothing left
    return true;
  }
  const bool bytes = ahead.current.bytes.size() > 0;
  block.weights.resize(0);
  block.order.clear();
  block.largest.resize(0);
  block.unit = ahead.current.unit;
  block.keep_only(bytes);
  bytes ? block.bytes.resize(features(), most) : block.V.resize(features(), most);
  Index n = 0;
  while (n < most && (ahead.left() > 0 || ahead.next())) {
    const Index more = std::min(most - n, ahead.left());
    append(block, n, ahead.current, ahead.used, more);
    ahead.used += more;
    n += more;
  }
  if (n < most) {
    bytes ? block.bytes.conservativeResize(Eigen::NoChange, n)
          : block.V.conservativeResize(Eigen::NoChange, n);
  }
  return true;
}

template <class T>
void PrefetchSource<T>::read_ahead() noexcept {
  if (ahead_) ahead_->help();
}

template class PrefetchSource<float>;
template class PrefetchSource<double>;

}  // namespace tamis
