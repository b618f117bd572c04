// A reader whose samples are told apart by their numbers, and what a pass over it delivers.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tamis/error.hpp"
#include "tamis/io/reader_source.hpp"

namespace tamis::test {

// Sample i is (i, 2i); reads at most three at a time end short only at the end, as readers must.
class CountingReader final : public Reader<double> {
 public:
  CountingReader(Index n, Access access, Index fails_at = -1)
      : n_(n), access_(access), fails_at_(fails_at) {
    format_.shape = {2};
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override {
    return access_ == Access::random ? std::optional(n_) : std::nullopt;
  }
  Access access() const override { return access_; }
  void seek(Index sample) override {
    EXPECT_NE(access_, Access::once);
    if (access_ == Access::restart) {
      EXPECT_EQ(sample, 0);
    }
    next_ = sample;
  }
  Index read(MatrixRef<double> V) override {
    Index n = 0;
    for (; n < V.cols() && next_ < n_; ++n, ++next_) {
      if (next_ == fails_at_) throw FileError("numbers: damaged");
      V.col(n) << double(next_), double(2 * next_);
    }
    read_ += n;
    return n;
  }
  Index samples_read() const { return read_; }

 private:
  Index n_;
  Access access_;
  Index fails_at_;
  Index next_ = 0;
  Index read_ = 0;
  SampleFormat format_;
};

struct Seen {
  std::vector<Index> samples, numbers, sizes;
};

inline Seen read_pass(Source<double>& source, const Pass& pass, Index most) {
  Seen seen;
  source.start(pass);
  SampleBlock<double> block;
  while (source.read(most, block)) {
    seen.sizes.push_back(block.V.cols());
    for (Index j = 0; j < block.V.cols(); ++j) {
      EXPECT_EQ(block.V(1, j), 2 * block.V(0, j));
      const auto counted = pass.position + pass.share.position(Index(seen.samples.size()));
      seen.samples.push_back(Index(block.V(0, j)));
      seen.numbers.push_back(block.order.empty() ? counted : block.order[std::size_t(j)]);
    }
  }
  EXPECT_FALSE(source.read(most, block)) << "the end is the end";
  return seen;
}

inline std::unique_ptr<ReaderSource<double>> make_source(Index n, Access access,
                                                         const StreamOptions& options = {}) {
  return std::make_unique<ReaderSource<double>>(std::make_unique<CountingReader>(n, access),
                                                options);
}

}  // namespace tamis::test
