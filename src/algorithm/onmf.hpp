// `onmf`: online NMF by robust stochastic approximation (N. Guan, D. Tao, Z. Luo, B. Yuan, *Online
// nonnegative matrix factorization with robust stochastic approximation*, IEEE Transactions on
// Neural Networks and Learning Systems 23(7), 2012). A baseline.
//
// Problem. min over W with columns on the simplex of the mean of min over h ≥ 0 of ½‖v − Wh‖². No
// outliers.
//
// Update. encode: nonnegative least squares, see encoder/nnls.hpp. Then averaged projected
// stochastic gradient steps on pairs (v, h) drawn from the newest ones, see
// dictionary/stochastic.hpp. A, B and c are kept for the trace of the objective only.
//
// Cost per mini-batch: 2FK·buffer for the size of the gradients, 4FK²; per gradient step 2FK and
// about 20F for each atom that the drawn sample uses.
//
// Our own choices, where the paper leaves them open or was not at hand: mini-batches; a buffer of
// 256 pairs; 20 steps; θ = 0.01; M from the buffer; codes by pivoting; random numbers keyed by the
// number of the mini-batch; weights of samples.
#pragma once

#include <cstdint>

#include "algorithm/blocks.hpp"
#include "dictionary/stochastic.hpp"
#include "encoder/nnls.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class OnmfAlgorithm {
 public:
  OnmfAlgorithm(const Onmf& settings, const Settings& all) : settings_(settings), seed_(all.seed) {}

  void encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
              Batch<T>& batch);
  void update(const Executor& executor, const Batch<T>& batch, const Increment<T>&,
              Model<T>& model);

  bool regularized() const { return encoder_.regularized(); }

  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    StochasticUpdate<T>::state(self.update_, archive);
  }

 private:
  Onmf settings_;
  std::uint64_t seed_;
  NnlsEncoder<T> encoder_;
  BlockRunner<typename NnlsEncoder<T>::Scratch> blocks_;
  StochasticUpdate<T> update_;
};

}  // namespace tamis
