// The state of the fast encoder for one block of samples, and its steps; see fast.hpp.
#pragma once

#include "encoder/fast.hpp"
#include "encoder/row_tasks.hpp"

namespace tamis {

template <class T>
class FastBlock {
 public:
  FastBlock(const Matrix<T>& W, const Problem<T>& problem, const RidgeSolver<T>& solver,
            const Executor& executor, Batch<T>& batch, Index begin, Index end,
            typename FastEncoder<T>::Scratch& scratch, WarmStart<T>* last);

  // u = P₊((G+ρI)⁻¹Wᵀv), α = 0
  void start();
  void start_from(const WarmStart<T>& warm);

  // S ← Wᵀ(v − r), r = prox_φ(v − Wx) for the codes x = u at the beginning, x = h later
  void back_project(bool from_u);
  // h, u and α
  void step(T relaxation);
  // Samples that are accurate enough leave.
  void retire(T tolerance);
  // ρ of each sample, moved so that ‖h − u‖ and ‖u − u_previous‖ come down together
  void adapt(Index iteration);

  Index running() const { return codes_.n; }

  // H, Y, losses and residuals of all samples
  void finish(ResidualHistogram& residuals);

 private:
  using Scratch = typename FastEncoder<T>::Scratch;
  using Panel = kernels::Panel<T>;
  using ConstPanel = kernels::Panel<const T>;

  ConstPanel W_rows(Index top, Index rows) const { return ConstPanel(W_.middleRows(top, rows)); }
  Panel Y_panel(int slot, Index rows, Index n) {
    const Index stride = (rows + 15) / 16 * 16;  // aligned columns
    return {scratch_.Y[std::size_t(slot)].view(stride, n).data(), stride, rows, n};
  }
  template <class Add>
  void sum_rows(const Add& add);
  void load(Index top, Index rows, Panel Y) const;
  void store(Index row);
  void drop(Index row);
  void fill_means();

  const Matrix<T>& W_;
  const Problem<T>& problem_;
  const RidgeSolver<T>& solver_;
  const Executor& executor_;
  Batch<T>& batch_;
  Index begin_, n_;
  Scratch& scratch_;
  WarmStart<T>* last_;     // where to keep u and α of the last sample, or null
  kernels::Samples<T> V_;  // of this block
  RowTasks tasks_;
  kernels::CodeBlock<T> codes_;  // of the samples that still run
  T *rho_, *size_, *primal_, *dual_;
};

}  // namespace tamis
