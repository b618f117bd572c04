// Encoder of `fast`.
//
// Problem. min over h ≥ 0 of L(v − Wh) + ψ(h), where L(e) = min over r ∈ 𝓡 of ½‖e − r‖² + φ(r) is a
// (generalised) Huber loss: the outliers are eliminated, K unknowns per sample remain.
//
// Update, for all samples of a block at once (G = WᵀW, ρ = rho·tr(G)/K, G + ρI factored once per
// mini-batch):
//   start   u = P₊((G+ρI)⁻¹Wᵀv), α = 0, r = prox_φ(v − Wu)
//   repeat  h ← (G+ρI)⁻¹(Wᵀ(v − r) + ρu − α)
//           r ← prox_φ(v − Wh)
//           ĥ ← 1.6h − 0.6u;  u ← prox_{ψ/ρ}(ĥ + α/ρ);  α ← α + ρ(ĥ − u)
//   return  h = u, r = prox_φ(v − Wu)
// ADMM with over-relaxation (Boyd et al. 2011, section 3.4.3), whose h-step minimises a quadratic
// majoriser of L.
//
// Cost per iteration and sample: 4FK for Wh and Wᵀ(v − r), 2K² for the solve. The two products run
// panel by panel over the rows of W, so that Wh and v − r of a panel stay in the cache. A sample is
// accurate when ‖h − u‖ and ‖u − u_previous‖ are below `tolerance` times the size of its
// least-squares code.
#pragma once

#include "batch.hpp"
#include "buffer.hpp"
#include "encoder/outcome.hpp"
#include "problem.hpp"
#include "tamis/algorithm/fast.hpp"

namespace tamis {

template <class T>
class FastEncoder {
 public:
  struct Scratch {
    Buffer<T> P, Y, S, H, U, U_previous, alpha, size, whole, column;
  };

  // Once per mini-batch.
  void prepare(const Matrix<T>& W, const Fast& settings);

  // Columns [begin, end) of the batch: fills H, Y, loss and constant there.
  Outcome encode(const Matrix<T>& W, const Problem<T>& problem, Batch<T>& batch, Index begin,
                 Index end, Scratch& scratch) const;

 private:
  using View = typename Buffer<T>::View;

  void start(const Matrix<T>& W, ConstMatrixRef<T> V, bool has_missing, Scratch& scratch,
             View U) const;
  void back_project(const Matrix<T>& W, const Problem<T>& problem, ConstMatrixRef<T> V, View X,
                    Scratch& scratch, View S) const;

  Fast settings_;
  T rho_ = 0;
  Matrix<T> G_;       // becomes G + ρI
  Matrix<T> factor_;  // its Cholesky factor L
};

}  // namespace tamis
