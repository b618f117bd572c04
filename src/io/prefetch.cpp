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
constexpr Index chunk_bytes = Index(1) << 20;

// Small mini-batches are read several at a time, to hand over less often; but not from a stream
// of unknown length, which may be slow and live.
Index chunk_size(Index most, Index F, bool patient) {
  const Index bytes = std::max<Index>(1, most * F * Index(sizeof(float)));
  return patient ? most * std::max<Index>(1, chunk_bytes / bytes) : most;
}

template <class T>
void append(SampleBlock<T>& to, Index at, const SampleBlock<T>& from, Index begin, Index n) {
  to.V.middleCols(at, n) = from.V.middleCols(begin, n);
  if (from.weights.size() > 0) {
    to.weights.conservativeResize(at + n);
    to.weights.tail(n) = from.weights.segment(begin, n);
  }
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

  Ahead(Source<T>& from, const Pass& pass, Index chunk)
      : source(from),
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
        started = true;
        slot.last = !source.read(chunk, slot.block);
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

  Index left() const { return current.V.cols() - used; }

  Source<T>& source;
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
    ahead_ = std::make_unique<Ahead>(source_, pass_, chunk);
  }
  Ahead& ahead = *ahead_;
  if (ahead.left() == 0 && !ahead.next()) return false;
  if (ahead.used == 0 && ahead.left() == most) {
    std::swap(block, ahead.current);
    ahead.used = ahead.current.V.cols();  // of an old block: nothing left
    return true;
  }
  block.weights.resize(0);
  block.order.clear();
  block.V.resize(ahead.current.V.rows(), most);
  Index n = 0;
  while (n < most && (ahead.left() > 0 || ahead.next())) {
    const Index more = std::min(most - n, ahead.left());
    append(block, n, ahead.current, ahead.used, more);
    ahead.used += more;
    n += more;
  }
  if (n < most) block.V.conservativeResize(Eigen::NoChange, n);
  return true;
}

template class PrefetchSource<float>;
template class PrefetchSource<double>;

}  // namespace tamis
