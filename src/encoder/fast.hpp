// Encoder of `fast`.
//
// Problem. min over h ≥ 0 of L(v − Wh) + ψ(h), where L(e) = min over r ∈ 𝓡 of ½‖e − r‖² + φ(r) is a
// (generalised) Huber loss: the outliers are eliminated, K unknowns per sample remain.
//
// Update, for all samples of a block at once (G = WᵀW, ρ = rho·tr(G)/K):
//   start   u = P₊((G+ρI)⁻¹Wᵀv), α = 0, or u and α of the sample before (`warm_start`)
//           r = prox_φ(v − Wu)
//   repeat  h ← (G+ρI)⁻¹(Wᵀ(v − r) + ρu − α)
//           r ← prox_φ(v − Wh)
//           ĥ ← 1.6h − 0.6u;  u ← prox_{ψ/ρ}(ĥ + α/ρ);  α ← α + ρ(ĥ − u)
//   return  h = u, r = prox_φ(v − Wu)
// ADMM with over-relaxation (Boyd et al. 2011, section 3.4.3), whose h-step minimises a quadratic
// majoriser of L.
//
// Accuracy. With a tolerance, a sample stops when ‖h − u‖ and ‖u − u_previous‖ are below it, both
// relative to the size of its least-squares code, and the others go on without it; and every sample
// has its own ρ, which is moved so that the two come down together (section 3.4.1 there).
//
// Cost per iteration and sample: 4FK for Wh and Wᵀ(v − r), 2K² for the solve. The two products run
// panel by panel over the rows of W: Wh and v − r of a panel never leave the cache. The solve is a
// product with (G+ρI)⁻¹: ρ bounds the condition number by 1 + K/rho, and triangular solves take
// several times longer than a product.
#pragma once

#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/finish.hpp"
#include "encoder/outcome.hpp"
#include "encoder/ridge_solver.hpp"
#include "parallel.hpp"
#include "problem.hpp"
#include "tamis/algorithm/fast.hpp"

namespace tamis {

// u and α of a sample to begin the next ones with; empty: none
template <class T>
using WarmStart = Matrix<T>;  // K×2

template <class T>
class FastEncoder {
 public:
  // Memory for one block of columns
  struct Scratch {
    Buffer<T> S, H, U, U_previous, alpha;  // n×K: a column is an atom
    Buffer<T> rho, size, primal, dual;     // n
    Buffer<T> column;
    std::vector<Index> sample;         // which column of the batch a row of the codes is
    std::vector<Buffer<T>> Y;          // per thread: a panel
    std::vector<Buffer<T>> task_sums;  // per task of rows: n×K
    FinishScratch<T> finish;
  };

  // Once per mini-batch.
  void prepare(const Matrix<T>& W, const Fast& settings, const Executor& executor);

  // Columns [begin, end) of the batch: fills H, Y, loss and constant there, and counts residuals
  // into `residuals`. The rows are walked with `executor`.
  Outcome encode(const Matrix<T>& W, const Problem<T>& problem, const WarmStart<T>& warm,
                 const Executor& executor, Batch<T>& batch, Index begin, Index end,
                 Scratch& scratch, ResidualHistogram& residuals, WarmStart<T>* last) const;

 private:
  Fast settings_;
  RidgeSolver<T> solver_;
  std::vector<Matrix<T>> G_parts_;
};

}  // namespace tamis
