// `bpgd`: batch projected gradient descent (Zhao, Tan 2017, supplement, section on BPGD).
//
// Problem. min over H ≥ 0, R ∈ 𝓡, W ∈ C of ½‖V − WH − R‖_F² + φ(R) + ψ(H), all samples at once.
//
// Update. One pass of the training loop is one iteration: encode makes
//   H ← prox_{η₁ψ}(H − η₁Wᵀ(WH + R − V)),  η₁ = κ_h/‖W‖₂²
//   R ← prox_φ(V − WH)
// and update makes W ← P_C(W − η₂(WH + R − V)Hᵀ), η₂ = κ_w/‖HHᵀ‖_F. Dividing A and B by N changes
// nothing here, because the step is relative to ‖A‖_F. Start: H₀, W₀ random, R₀ = prox_φ(V − W₀H₀).
//
// Cost per iteration: 6FKN. Memory: four matrices of the data's size, which are the data and Y =
// V − R, each also in the mini-batch; five where samples are scaled.
#pragma once

#include "algorithm/blocks.hpp"
#include "buffer.hpp"
#include "dictionary/pgd.hpp"
#include "encoder/finish.hpp"
#include "encoder/random_start.hpp"
#include "kernels/dense.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class BpgdAlgorithm {
 public:
  BpgdAlgorithm(const Bpgd& settings, const Settings& all)
      : settings_(settings), random_(all.seed, all.init) {}

  void encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
              Batch<T>& batch);
  void update(const Executor& executor, const Batch<T>&, const Increment<T>& sums, Model<T>& model);
  void recall(Batch<T>& batch) const;

  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    archive("H", self.H_);
    archive("Y", self.Y_);
  }

 private:
  struct Scratch {
    Buffer<T> P, S, gradient;
    FinishScratch<T> finish;
  };
  Outcome iterate(const Matrix<T>& W, const Problem<T>& problem, Batch<T>& batch, bool first,
                  Index begin, Index end, Scratch& scratch, ResidualHistogram& residuals);

  Bpgd settings_;
  RandomStart<T> random_;
  Matrix<T> G_;  // WᵀW
  T step_ = 0;   // η₁
  SymmetricEigen eigen_;
  Matrix<T> H_, Y_;
  BlockRunner<Scratch> blocks_;
  DictionaryProblem<T> problem_;
  PgdUpdate<T> update_;
};

}  // namespace tamis
