// Encoder of `onmf`: nonnegative least squares, one sample after another.
//
// Problem. min over h ≥ 0 of ½‖v − Wh‖².
//
// Update. Block principal pivoting (Portugal, Júdice, Vicente 1994; Kim, Park 2011) on G = WᵀW and
// s = Wᵀv, in double: guess the set P of positive codes, from the least-squares codes at first,
//   h_P = G_PP⁻¹s_P,  h = 0 elsewhere;  g = Gh − s
// and exchange the k in P with h_k < 0 and those outside with g_k < 0, until there are none. When
// exchanging all of them three times did not make them fewer, only the last one is exchanged
// (Murty's rule), which ends after finitely many steps. Codes within `tolerance` of the largest
// count as 0, gradients within `tolerance` of the largest |s_k| too.
//
// When atoms depend on each other, a ridge as small as rounding errors makes G positive definite.
//
// Cost per mini-batch: 2FK² + K³/3. Per sample: 2FK for s, then p³/3 + 2Kp per exchange with p
// atoms in P; a handful of exchanges.
#pragma once

#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/finish.hpp"
#include "encoder/outcome.hpp"
#include "parallel.hpp"
#include "problem.hpp"

namespace tamis {

template <class T>
class NnlsEncoder {
 public:
  struct Rule {
    double tolerance;
    Index iterations;  // exchanges of a sample, at most
  };
  // Memory for one block of columns
  struct Scratch {
    Buffer<T> S;  // n×K: Wᵀv, a column is an atom
    Buffer<double> s, h, gradient, part, factor;
    std::vector<Index> positive;       // P
    std::vector<char> is_positive;     // K: whether an atom is in P
    std::vector<Buffer<T>> task_sums;  // per task of rows: n×K
    FinishScratch<T> finish;
  };

  // Once per mini-batch.
  void prepare(const Matrix<T>& W, const Rule& rule, const Executor& executor);

  // Columns [begin, end) of the batch, which has no missing entries: fills H, Y, loss and constant
  // there. The rows are walked with `executor`.
  Outcome encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
                 Batch<T>& batch, Index begin, Index end, Scratch& scratch,
                 ResidualHistogram& residuals) const;

  // Whether the atoms were so much alike that rounding errors made the equations singular.
  bool regularized() const { return regularized_; }

 private:
  // scratch.h for scratch.s
  Outcome solve(Scratch& scratch) const;
  void factor_part(const std::vector<Index>& P, MatrixRef<double> factor) const;

  Rule rule_{};
  std::vector<Matrix<T>> G_parts_;
  Matrix<double> G_, factor_;  // WᵀW, and the factor of all of it
  bool regularized_ = false;
};

}  // namespace tamis
