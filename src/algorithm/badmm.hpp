// `badmm`: batch ADMM (Zhao, Tan 2017, supplement, section on BADMM).
//
// Problem. min over H, R, W of ½‖V − WH − R‖_F² + φ(R) + ψ(U) with copies H = U ≥ 0, R = Q ∈ 𝓡, W =
// Ψ ∈ C; all samples at once.
//
// Update. One pass of the training loop is one iteration:
//   H ← (WᵀW + ρ₁I)⁻¹(Wᵀ(V − R) + ρ₁U − A)          U ← prox_{ψ/ρ₁}(H + A/ρ₁)   A ← A + ρ₁(H − U)
//   R ← prox_{φ/(1+ρ₂)}((ρ₂Q + V − B − WH)/(1+ρ₂))   Q ← P_𝓡(R + B/ρ₂)           B ← B + ρ₂(R − Q)
//   W ← ((V − R)Hᵀ − D + ρ₃Ψ)(HHᵀ + ρ₃I)⁻¹           Ψ ← P_C(W + D/ρ₃)            D ← D + ρ₃(W − Ψ)
// encode makes the first two rows (they do not depend on the third, so the order of the study is
// kept), update the third, with sums over the unsplit H and R. What is returned, judged and kept in
// the model's A, B and c are U, Q, Ψ. Start: H₀, W₀ random, R₀ = prox_φ(V − W₀H₀), copies equal,
// duals 0.
//
// Cost per iteration: 10FKN, of which 4FKN for the loss and the statistics of the feasible copies.
// Memory: six matrices of the data's size, seven where samples are scaled.
#pragma once

#include "algorithm/blocks.hpp"
#include "buffer.hpp"
#include "dictionary/admm.hpp"
#include "encoder/random_start.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class BadmmAlgorithm {
 public:
  BadmmAlgorithm(const Badmm& settings, const Settings& all)
      : settings_(settings), random_(all.seed, all.init) {}

  void encode(const Matrix<T>& Psi, const Problem<T>& problem, const Executor& executor,
              Batch<T>& batch);
  void update(const Executor& executor, const Batch<T>&, const Increment<T>& sums, Model<T>& model);
  void recall(Batch<T>& batch) const;

  bool regularized() const { return codes_regularized_ || atoms_regularized_; }

  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    archive("H", self.H_);
    archive("U", self.U_);
    archive("alpha", self.alpha_);
    archive("Y", self.Y_);
    archive("Q", self.Q_);
    archive("beta", self.beta_);
    archive("W_unsplit", self.W_);
    archive("D", self.D_);
  }

 private:
  struct Scratch {
    Buffer<T> P, column;
  };
  void start(const Problem<T>& problem, Batch<T>& batch, Index begin, Index end, Scratch& scratch);
  Outcome iterate(const Matrix<T>& Psi, const Problem<T>& problem, Batch<T>& batch, Index begin,
                  Index end, Scratch& scratch, ResidualHistogram& residuals);

  Badmm settings_;
  RandomStart<T> random_;
  Matrix<T> H_, U_, alpha_;  // K×N
  Matrix<T> Y_, Q_, beta_;   // F×N, Y = V − R
  Matrix<T> W_, D_;          // F×K
  Matrix<T> ridge_, factor_;
  bool codes_regularized_ = false, atoms_regularized_ = false;
  BlockRunner<Scratch> blocks_;
  DictionaryProblem<T> problem_;
};

}  // namespace tamis
