// A model applied to a stream of samples, a block at a time.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "common.hpp"
#include "fitting.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "tamis/io/writer.hpp"
#include "tamis/model.hpp"

namespace tamis {

struct EncodeCounts {
  Index samples = 0;
  Index unconverged_blocks = 0;
  Index regularized_blocks = 0;
  double seconds = 0;
  double loss = 0;  // sum
};

// Samples of a block: enough to keep all threads busy, few enough to stay small.
inline Index samples_per_block(Index F, std::size_t entry_bytes) {
  constexpr Index bytes = Index(16) << 20;
  return std::clamp<Index>(bytes / std::max<Index>(1, F * Index(entry_bytes)), 1, 1024);
}

// Pictures of another shape are not the model's, though they may have as many pixels.
template <class T>
void check_shape(const Model<T>& model, const SampleFormat& format) {
  if (model.shape.size() > 1 && format.shape.size() > 1 && model.shape != format.shape)
    throw DataError(fmt::format("samples of shape {}, but those of the model have {}",
                                fmt::join(format.shape, "x"), fmt::join(model.shape, "x")));
}

// Numbers whose unit nobody knows, for a model of bytes, which were divided by theirs.
template <class T>
void doubt_unit(const Model<T>& model, const SampleFormat& format, const Matrix<T>& V,
                const Common& common) {
  constexpr T white = 1;
  if (model.unit == 1 || format.unit != 1 || !(V.array() > white).any()) return;
  say(common, fmt::format("warning: the model learned from entries divided by {}, which these are "
                          "not; if they are the same numbers, divide them, or store them as "
                          "integers",
                          model.unit));
}

// Calls use(V, encoding, rows) for every block of the input, in order.
template <class T, class Use>
EncodeCounts encode_stream(const Model<T>& model, Input<T>& input, const EncodeOptions& options,
                           const Common& common, const std::string& work, Use&& use) {
  ProgressMeter meter(common, work);
  EncodeCounts counts;
  SampleBlock<T> block;
  const Index most = samples_per_block(model.features(), sizeof(T));
  naming_file(input.path, [&] {
    check_shape(model, input.source.format());
    input.ahead.start({});
    while (input.ahead.read(most, block)) {
      if (counts.samples == 0) doubt_unit(model, input.source.format(), block.V, common);
      const Encoding<T> encoding = model.encode(block.V, options);
      use(block.V, encoding, Rows{counts.samples});
      counts.samples += block.V.cols();
      counts.loss += encoding.loss.sum();
      if (!encoding.converged) ++counts.unconverged_blocks;
      if (encoding.regularized) ++counts.regularized_blocks;
      meter.show(counts.samples, input.ahead.samples(), encoding.loss.mean());
      stop_if_interrupted();
    }
    stop_if_interrupted();
    if (counts.samples == 0) throw DataError("the data have no samples");
  });
  counts.seconds = meter.seconds();
  return counts;
}

}  // namespace tamis
