// h = (G + ρI)⁻¹x for all samples of a block: by the inverse when ρ is the same for all of them, in
// the eigenbasis of G when each sample has its own.
#pragma once

#include <vector>

#include "kernels/dense.hpp"
#include "kernels/relax.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
class RidgeSolver {
 public:
  // rho: in units of tr(G)/K, or 1 for G = 0. G is changed.
  void prepare(Matrix<T>& G, double rho, bool one_rho);

  T rho() const { return rho_; }
  // block.H ← (G + ρI)⁻¹x, x in block.U_previous, whose content is lost
  void solve(kernels::CodeBlock<T>& block) const;

 private:
  bool one_rho_ = true;
  T rho_ = 0;
  Matrix<T> inverse_, factor_;  // of G + ρI
  std::vector<T> memory_;
  SymmetricEigen eigen_;
  Matrix<T> Q_, Q_transposed_;  // G = QΛQᵀ
  Vector<T> eigenvalues_;
};

}  // namespace tamis
