#include "tamis/io/reader_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "random/permutation.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr Index most_window_bytes = Index(256) << 20;
constexpr Index samples_per_skip = 256;
constexpr Index entries_per_skip = Index(1) << 22;

[[noreturn]] void too_few(Index there, Index wanted) {
  throw DataError(fmt::format(
      "there are only {} samples, but the fit had seen {} when it was stopped: to go on, give it "
      "the same data",
      there, wanted));
}

}  // namespace

template <class T>
ReaderSource<T>::ReaderSource(std::unique_ptr<Reader<T>> reader, const StreamOptions& options)
    : reader_(std::move(reader)), options_(options) {
  if (options.repeat < 1) throw SettingsError("repeat must be at least 1");
  if (options.limit && *options.limit < 1) throw SettingsError("limit must be at least 1");
  if (options.shuffle_window < 1) throw SettingsError("shuffle_window must be at least 1");
  if (options.repeat > 1 && reader_->access() == Access::once)
    throw DataError("a pipe flows by once: its samples cannot be repeated");
  constexpr Index most = std::numeric_limits<Index>::max() / 2;
  if (options.repeat > most / std::max<Index>(1, samples_once().value_or(1)))
    throw SettingsError("repeat is too large: the samples could not be counted");
}

template <class T>
std::optional<Index> ReaderSource<T>::samples_once() const {
  const std::optional<Index> n = reader_->samples();
  if (!n || !options_.limit) return n;
  return std::min(*n, *options_.limit);
}

template <class T>
std::optional<Index> ReaderSource<T>::samples() const {
  const std::optional<Index> n = samples_once();
  return n ? std::optional(*n * options_.repeat) : n;
}

template <class T>
void ReaderSource<T>::start(const Pass& pass) {
  if (!pass.share.everything() && reader_->access() == Access::once)
    throw DataError("a pipe cannot be shared among ranks: give a file");
  pass_ = pass;
  taken_ = position_ = 0;
  const bool random = reader_->access() == Access::random;
  if (random && pass.shuffle) return;
  rewind();
  if (random) {
    seek(pass.position);
  } else if (pass.shuffle) {
    // The same draws again, so that the window has the same samples in it.
    pass_.position = 0;
    pass_.share = {};
    SampleBlock<T> passed_over;
    while (position_ < pass.position &&
           read(std::min(samples_per_skip, pass.position - position_), passed_over)) {
    }
    if (position_ < pass.position) too_few(position_, pass.position);
    pass_ = pass;
    taken_ = 0;
  } else if (!go_to(pass.position)) {
    too_few(position_, pass.position);
  }
}

template <class T>
void ReaderSource<T>::rewind() {
  round_ = in_round_ = 0;
  if (touched_) {
    if (reader_->access() == Access::once)
      throw DataError("a pipe flows by once: it cannot be read a second time");
    reader_->seek(0);
  }
  touched_ = false;
}

template <class T>
void ReaderSource<T>::seek(Index position) {
  const Index n = *samples_once();
  position_ = position;
  round_ = n == 0 ? 0 : position / n;
  in_round_ = n == 0 ? 0 : position % n;
  reader_->seek(in_round_);
}

// Forward to this position; false if the samples end before it.
template <class T>
bool ReaderSource<T>::go_to(Index position) {
  if (position == position_) return true;
  if (reader_->access() == Access::random) {
    seek(position);
    return true;
  }
  passed_over_.resize(
      features(),
      std::clamp<Index>(entries_per_skip / std::max<Index>(features(), 1), 1, samples_per_skip));
  while (position_ < position) {
    const Index most = std::min(position - position_, passed_over_.cols());
    const Index n = read_next<T>(passed_over_.leftCols(most));
    if (n == 0) return false;
    position_ += n;
  }
  return true;
}

template <class T>
std::optional<Index> ReaderSource<T>::ours_left() const {
  const auto n = samples();
  return n ? std::optional(pass_.share.below(*n - pass_.position) - taken_) : n;
}

// The next samples of the stream, repetitions included; 0 at the end of the pass. A window asks for
// more after the end, so that must be harmless.
template <class T>
template <class Entry>
Index ReaderSource<T>::read_next(Eigen::Ref<Matrix<Entry>> V) {
  while (round_ < options_.repeat) {
    const Index room = options_.limit ? *options_.limit - in_round_ : V.cols();
    const Index most = std::min(V.cols(), room);
    touched_ = true;
    const Index n = most > 0 ? read_from(V.leftCols(most)) : 0;
    in_round_ += n;
    if (n > 0) return n;
    const bool empty = in_round_ == 0;
    ++round_;
    in_round_ = 0;
    if (empty) return 0;
    if (round_ < options_.repeat) reader_->seek(0);
  }
  return 0;
}

template <class T>
bool ReaderSource<T>::read(Index most, SampleBlock<T>& block) {
  block.weights.resize(0);
  block.order.clear();
  const bool windowed = pass_.shuffle && reader_->access() != Access::random;
  const bool bytes = block.accepts_bytes && reader_->stores_bytes() && !windowed;
  block.unit = reader_->format().unit;
  block.keep_only(bytes);
  if (windowed) return read_windowed(most, block);
  if (pass_.shuffle) {
    return bytes ? read_permuted(most, block.bytes, block.order)
                 : read_permuted(most, block.V, block.order);
  }
  return bytes ? read_ordered(most, block.bytes) : read_ordered(most, block.V);
}

template <class T>
template <class Entry>
bool ReaderSource<T>::read_ordered(Index most, Matrix<Entry>& V) {
  if (const auto left = ours_left()) most = std::min(most, *left);
  if (most <= 0) return false;
  V.resize(features(), most);
  Index n = 0;
  while (n < most && go_to(next_of_ours())) {
    const Index run = std::min(most - n, pass_.share.run(taken_));
    const Index more = read_next<Entry>(V.middleCols(n, run));
    if (more == 0) break;
    n += more;
    position_ += more;
    taken_ += more;
  }
  if (n < most) V.conservativeResize(Eigen::NoChange, n);
  return n > 0;
}

template <class T>
template <class Entry>
bool ReaderSource<T>::read_permuted(Index most, Matrix<Entry>& V,
                                    std::vector<Index>& sample_order) {
  const Index n = std::min(most, *ours_left());
  if (n <= 0) return false;
  const Permutation order(*samples(), pass_.seed, Purpose::shuffle, pass_.epoch);
  V.resize(features(), n);
  touched_ = true;
  for (Index j = 0; j < n; ++j, ++taken_) {
    sample_order.push_back(order(next_of_ours()));
    reader_->seek(sample_order.back() % *samples_once());
    if (read_from(V.col(j)) != 1) throw DataError("the data became shorter while read");
  }
  return true;
}

template <class T>
bool ReaderSource<T>::read_windowed(Index most, SampleBlock<T>& block) {
  const auto next = [this](MatrixRef<T> V) { return read_next<T>(V); };
  if (position_ == 0) {
    const Index bytes_each = std::max<Index>(1, features() * Index(sizeof(T)));
    window_.fill(features(),
                 std::clamp<Index>(most_window_bytes / bytes_each, 1, options_.shuffle_window),
                 next);
  }
  block.V.resize(features(), most);
  passed_over_.resize(features(), 1);
  Index n = 0;
  while (n < most && window_.size() > 0) {
    const bool ours = position_ == next_of_ours();
    RandomStream random(pass_.seed, Purpose::shuffle, pass_.epoch, position_++);
    const Index number = window_.draw(random.below(window_.size()),
                                      ours ? block.V.col(n) : passed_over_.col(0), next);
    if (!ours) continue;
    block.order.push_back(number);
    ++n;
    ++taken_;
  }
  if (n < most) block.V.conservativeResize(Eigen::NoChange, n);
  return n > 0;
}

template class ReaderSource<float>;
template class ReaderSource<double>;

}  // namespace tamis
