// Encoder of `orpca`: codes and outliers in turn (Feng, Xu, Yan 2013, algorithm 2).
//
// Problem. min over h ∈ ℝ^K, r ∈ 𝓡 of ½‖v − Wh − r‖² + λ₁/2‖h‖² + φ(r).
//
// Update, per sample, from r = 0 (h counts as 0 before the first step):
//   h ← (WᵀW + λ₁I)⁻¹Wᵀ(v − r)
//   r ← prox_φ(v − Wh)                             (S_λ for ℓ1 without a bound)
// until max(‖Δh‖, ‖Δr‖) ≤ tolerance·‖v‖ or `iterations`. ‖Δr‖ is that of y = v − r, which is the
// same and also counts missing entries.
//
// Cost per mini-batch: 2FK² for WᵀW; then an iteration of a sample costs 4FK for Wh and Wᵀy.
//
// All of it is in double also for models of single precision. λ₁ is small and nothing keeps the
// atoms apart: where rounding errors of WᵀW exceed λ₁ the iteration would move away from its limit,
// and where those of Wh exceed the tolerance it would never end.
#pragma once

#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/finish.hpp"
#include "encoder/outcome.hpp"
#include "parallel.hpp"
#include "problem.hpp"
#include "tamis/algorithm/orpca.hpp"

namespace tamis {

// Memory for the iterations of one block of columns
struct OrpcaMemory {
  Buffer<double> H;                         // K×n: the codes that are found
  Buffer<double> S, X, X_previous, X_next;  // n×K: a column is an atom
  Buffer<double> V, Y, Y_next;              // F×n: samples, if they have to be copied, and v − r
  Buffer<double> column;
  std::vector<Index> sample;              // which column of the block a running sample is
  std::vector<double> size;               // ‖v‖²
  std::vector<double> moved;              // per task of rows: ‖Δy‖² of n samples
  std::vector<Buffer<double>> task_sums;  // per task of rows: n×K
};

template <class T>
class OrpcaEncoder {
 public:
  struct Scratch {
    OrpcaMemory memory;
    FinishScratch<T> finish;
  };

  // Once per mini-batch.
  void prepare(const Matrix<T>& W, const Orpca& settings, const Executor& executor);

  // Columns [begin, end) of the batch: fills H, Y, loss and constant there, and counts residuals
  // into `residuals`. The rows are walked with `executor`.
  Outcome encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
                 Batch<T>& batch, Index begin, Index end, Scratch& scratch,
                 ResidualHistogram& residuals) const;

  // Whether the atoms were so much alike that rounding errors made the equations singular.
  bool regularized() const { return regularized_; }

 private:
  Orpca settings_;
  Matrix<double> W_;
  std::vector<Matrix<double>> G_parts_;
  Matrix<double> G_, factor_, inverse_;  // WᵀW + λ₁I
  bool regularized_ = false;
};

}  // namespace tamis
