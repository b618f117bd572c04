// The last step of encoding a block of samples: from codes to outliers, losses and residuals, in
// one more walk over the rows.
#pragma once

#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "parallel.hpp"
#include "problem.hpp"

namespace tamis {

template <class T>
struct FinishScratch {
  Buffer<T> U;  // n×K: the codes, a column is an atom
  Buffer<T> whole, column;
  std::vector<Index> sample;
  std::vector<kernels::Sums> sums;           // per task of rows: n
  std::vector<ResidualHistogram> residuals;  // per thread
};

// Y, loss and constant of columns [begin, end) of the batch, whose H is final; counts residuals
// into `residuals`. The rows are walked with `executor`.
template <class T>
void finish_block(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
                  Batch<T>& batch, Index begin, Index end, FinishScratch<T>& scratch,
                  ResidualHistogram& residuals);

}  // namespace tamis
