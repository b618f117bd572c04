#include "tamis/io/prefetch.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tamis {
namespace {

constexpr std::size_t slots = 3;  // one being filled, one ready, one of slack
constexpr Index chunk_bytes = Index(1) << 17;

// Small mini-batches are read several at a time, to hand over less often; but not from a stream
// of unknown length, which may be slow and live.
Index chunk_size(Index most, Index F, bool patient) {
  const Index bytes = std::max<Index>(1, most * F * Index(sizeof(float)));
  return patient ? most * std::max<Index>(1, chunk_bytes / bytes) : most;
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
    bool full = false;
  };

  Ahead(Source<T>& from, const Pass& pass, Index chunk, bool accept_bytes)
      : source(from),
        accepts_bytes(accept_bytes),
        thread([this, pass, chunk](const std::stop_token& stop) { run(pass, chunk, stop); }) {}

  void run(const Pass& pass, Index chunk, const std::stop_token& stop) {
    for (std::size_t i = 0;; i = (i + 1) % slots) {
      Slot& slot = ring[i];
      {
        std::unique_lock lock(mutex);
        if (!changed.wait(lock, stop, [&] { return !slot.full; })) return;
      }
      try {
        if (i == 0 && !started) source.start(pass);
        slot.block.accepts_bytes = accepts_bytes;
        started = true;
        slot.block.largest.resize(0);
        slot.last = !source.read(chunk, slot.block);
        slot.block.examine();
      } catch (...) {
        slot.error = std::current_exception();
        slot.last = true;
      }
      const bool last = slot.last;
      {
        const std::lock_guard lock(mutex);
        slot.full = true;
      }
      changed.notify_all();
      if (last) return;
    }
  }

  // The next chunk into `current`; false at the end. Throws what the source threw.
  bool next() {
    Slot& slot = ring[taking];
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return slot.full; });
    }
    if (slot.error) std::rethrow_exception(slot.error);
    if (slot.last) return false;
    std::swap(current, slot.block);
    used = 0;
    {
      const std::lock_guard lock(mutex);
      slot.full = false;
    }
    changed.notify_all();
    taking = (taking + 1) % slots;
    return true;
  }

  ~Ahead() {
    thread.request_stop();
    source.cancel();
  }

  Index left() const { return current.size() - used; }

  Source<T>& source;
  bool accepts_bytes;
  std::array<Slot, slots> ring;
  bool started = false;  // of the reading thread
  std::size_t taking = 0;
  SampleBlock<T> current;
  Index used = 0;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::jthread thread;  // last: begins when all is there, ends before anything goes
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
    ahead_ = std::make_unique<Ahead>(source_, pass_, chunk, block.accepts_bytes);
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

template class PrefetchSource<float>;
template class PrefetchSource<double>;

}  // namespace tamis
