// Reads ahead, so that reading and computing go on at the same time: in a thread of its own, and
// where somebody has time for it in his, before that one has to come and take a core from others.
#pragma once

#include <memory>

#include "tamis/io/source.hpp"

namespace tamis {

template <class T>
class PrefetchSource final : public Source<T> {
 public:
  // The source must outlive this and be left alone meanwhile.
  explicit PrefetchSource(Source<T>& source);
  ~PrefetchSource() override;
  PrefetchSource(const PrefetchSource&) = delete;
  PrefetchSource& operator=(const PrefetchSource&) = delete;

  Index features() const override { return source_.features(); }
  std::optional<Index> samples() const override { return source_.samples(); }
  SampleFormat format() const override { return source_.format(); }
  bool can_be_shared() const override { return source_.can_be_shared(); }
  void start(const Pass& pass) override;
  // The same blocks as the source would give, if `most` stays the same during a pass; otherwise
  // the same samples. What the source throws comes out here, at its place in the stream.
  bool read(Index most, SampleBlock<T>& block) override;
  void read_ahead() noexcept override;

 private:
  struct Ahead;

  Source<T>& source_;
  Pass pass_;
  std::unique_ptr<Ahead> ahead_;
};

}  // namespace tamis
