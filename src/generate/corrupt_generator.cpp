#include <algorithm>
#include <utility>

#include "generate/contamination.hpp"
#include "generate/shape.hpp"
#include "tamis/error.hpp"
#include "tamis/generate/generator.hpp"

namespace tamis {
namespace {

template <class T>
class CorruptGenerator final : public Generator<T> {
 public:
  CorruptGenerator(std::unique_ptr<Source<T>> source, const Pass& pass, const Normalize& normalize,
                   const CorruptOptions& options, Index samples)
      : source_(std::move(source)),
        pass_(pass),
        normalize_(normalize),
        samples_(samples),
        format_(source_->format()),
        contamination_(options, samples) {
    source_->start(pass_);
  }

  const SampleFormat& format() const override { return format_; }
  Index samples() const override { return samples_; }

  void make(Index first, Index n, Generated<T>& out) override {
    resize_samples(out, format_.features(), n);
    if (first != next_) start_at(first);
    for (Index j = 0; j < n; j += block_.V.cols()) {
      if (!source_->read(n - j, block_))
        throw DataError("the data is shorter than it was said to be");
      out.clean.middleCols(j, block_.V.cols()) = block_.V;
    }
    next_ = first + n;
    for (Index j = 0; j < n; ++j) {
      scale(out.clean.col(j));
      contamination_.apply<T>(first + j, out.clean.col(j), out.V.col(j), out.outliers.col(j));
    }
  }

 private:
  void start_at(Index first) {
    Pass pass = pass_;
    pass.position += first;
    source_->start(pass);
  }

  void scale(VectorRef<T> v) const {
    if (v.size() == 0) return;
    const T largest = v.cwiseAbs().maxCoeff();
    v /= std::visit([&](const auto& way) { return way.divisor(largest); }, normalize_);
  }

  std::unique_ptr<Source<T>> source_;
  Pass pass_;
  Normalize normalize_;
  Index samples_;
  SampleFormat format_;
  Contamination contamination_;
  SampleBlock<T> block_;
  Index next_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Generator<T>> make_corrupt_generator(std::unique_ptr<Source<T>> source,
                                                     const Pass& pass, const Normalize& normalize,
                                                     const CorruptOptions& options,
                                                     std::optional<Index> samples) {
  if (!samples) samples = source->samples();
  if (!samples)
    throw DataError(
        "how many samples there are must be known to choose those that get outliers: put them in "
        "a file first, or limit them to so many");
  return std::make_unique<CorruptGenerator<T>>(std::move(source), pass, normalize, options,
                                               *samples);
}

template std::unique_ptr<Generator<float>> make_corrupt_generator(std::unique_ptr<Source<float>>,
                                                                  const Pass&, const Normalize&,
                                                                  const CorruptOptions&,
                                                                  std::optional<Index>);
template std::unique_ptr<Generator<double>> make_corrupt_generator(std::unique_ptr<Source<double>>,
                                                                   const Pass&, const Normalize&,
                                                                   const CorruptOptions&,
                                                                   std::optional<Index>);

}  // namespace tamis
