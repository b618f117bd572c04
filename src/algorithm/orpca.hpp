// `orpca`: online robust PCA (J. Feng, H. Xu, S. Yan, *Online robust PCA via stochastic
// optimization*, NIPS 2013, algorithms 1 and 2). A baseline.
//
// Problem. min over W of the mean of min over h, r of ½‖v − Wh − r‖² + λ₁/2‖h‖² + λ‖r‖₁, plus
// λ₁/(2t)‖W‖_F² after t samples: the nuclear norm of the low-rank part, factored. W and h have any
// sign; the paper calls them L and r, and the outliers e.
//
// Update. encode: h and r in turn, see encoder/orpca.hpp. Then one sweep over the atoms, in place,
//   w_j ← w_j + (b_j − W ã_j)/Ã_jj,  Ã = A + (λ₁/t)I
// with A and B means over samples: the paper's sums divided by t.
//
// Cost per mini-batch: 4FK², of which 2FK² for the sweep, and 4FK per sample and iteration of the
// encoder.
//
// Deviations. Mini-batches, W₀ and λ₁ = λ = 1/√F as everywhere here; t is the total weight behind
// A, so that weights of samples and forgetting keep their meaning; outliers may be bounded or have
// another penalty. With `unit_columns` each atom is scaled to norm 1 after its step, as some
// implementations do.
#pragma once

#include "algorithm/blocks.hpp"
#include "dictionary/coordinate.hpp"
#include "encoder/orpca.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class OrpcaAlgorithm {
 public:
  OrpcaAlgorithm(const Orpca& settings, const Settings&) : settings_(settings) {}

  void encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
              Batch<T>& batch);
  void update(const Executor& executor, const Batch<T>&, const Increment<T>&, Model<T>& model);
  // One sweep
  void minimise(const DictionaryProblem<T>& problem, Matrix<T>& W);

  bool regularized() const { return encoder_.regularized(); }

  template <class Self, class Archive>
  static void state(Self&, Archive&&) {}

 private:
  Orpca settings_;
  OrpcaEncoder<T> encoder_;
  BlockRunner<typename OrpcaEncoder<T>::Scratch> blocks_;
  Matrix<double> A_;
  DictionaryProblem<T> problem_;
  CoordinateUpdate<T> update_;
};

}  // namespace tamis
