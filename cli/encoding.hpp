// A model applied to a stream of samples, a block at a time.
#pragma once

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

// Calls use(V, encoding, rows) for every block of the input, in order.
template <class T, class Use>
EncodeCounts encode_stream(const Model<T>& model, Input<T>& input, const EncodeOptions& options,
                           const Common& common, const std::string& work, Use&& use) {
  ProgressMeter meter(common, work);
  EncodeCounts counts;
  SampleBlock<T> block;
  const Index most = samples_per_block(model.features(), sizeof(T));
  naming_file(input.path, [&] {
    input.ahead.start({});
    while (input.ahead.read(most, block)) {
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
