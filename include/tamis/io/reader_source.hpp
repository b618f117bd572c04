// Passes over what a reader reads: in order or shuffled, repeated, cut short.
#pragma once

#include <memory>
#include <string>

#include "tamis/io/reader.hpp"
#include "tamis/io/shuffle_window.hpp"
#include "tamis/io/source.hpp"

namespace tamis {

struct StreamOptions {
  Index repeat = 1;                 // a pass has every sample this many times
  std::optional<Index> limit = {};  // only the first samples
  Index shuffle_window = 4096;      // samples among which those of a stream are shuffled
};

template <class T>
class ReaderSource final : public Source<T> {
 public:
  explicit ReaderSource(std::unique_ptr<Reader<T>> reader, const StreamOptions& options = {});

  Index features() const override { return reader_->format().features(); }
  std::optional<Index> samples() const override;
  SampleFormat format() const override { return reader_->format(); }
  // A share is sought where any sample can be; otherwise the samples of others are read, too, and
  // left out.
  bool can_be_shared() const override { return true; }
  bool may_wait() const override { return reader_->access() != Access::random; }
  // With random access a shuffled pass is a uniformly chosen order of all samples. Otherwise it is
  // made by drawing from a window that moves over the stream.
  void start(const Pass& pass) override;
  bool read(Index most, SampleBlock<T>& block) override;
  void cancel() override { reader_->cancel(); }

  const Reader<T>& reader() const { return *reader_; }
  // Of the sample at this place of a pass in order; "" if it has none. Samples that come again have
  // none: only the first of them could be called so.
  std::string name(Index position) const {
    return reader_->samples() && options_.repeat == 1 ? reader_->name(position) : std::string();
  }

 private:
  std::optional<Index> samples_once() const;
  Index read_from(MatrixRef<T> V) { return reader_->read(V); }
  Index read_from(MatrixRef<std::uint8_t> V) { return reader_->read_bytes(V); }
  template <class Entry>
  Index read_next(Eigen::Ref<Matrix<Entry>> V);
  void rewind();
  void seek(Index position);
  bool go_to(Index position);
  Index next_of_ours() const { return pass_.position + pass_.share.position(taken_); }
  std::optional<Index> ours_left() const;
  template <class Entry>
  bool read_ordered(Index most, Matrix<Entry>& V);
  template <class Entry>
  bool read_permuted(Index most, Matrix<Entry>& V, std::vector<Index>& sample_order);
  bool read_windowed(Index most, SampleBlock<T>& block);

  std::unique_ptr<Reader<T>> reader_;
  StreamOptions options_;
  Pass pass_;
  Index position_ = 0;    // in the pass, of the next sample that would be read
  Index taken_ = 0;       // samples of our share delivered since the pass began
  Index round_ = 0;       // repetition that is being read
  Index in_round_ = 0;    // samples of it read
  bool touched_ = false;  // the reader is not at its beginning any more
  ShuffleWindow<T> window_;
  Matrix<T> passed_over_;
};

}  // namespace tamis
