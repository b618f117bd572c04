// Dictionary update of `onmf`: robust stochastic approximation (Guan, Tao, Luo, Yuan 2012, on
// Nemirovski, Juditsky, Lan, Shapiro 2009) of min over simplex columns W of the mean of ½‖v − Wh‖².
//
// Update, with the newest l pairs (v, h) in a buffer:
//   D = √(2K), M² = mean over the buffer of ‖Wh − v‖²‖h‖²;  X ← W, S ← 0, s ← 0
//   for k = 1…steps: draw (v, h) uniformly from the buffer;  η = θD/(M√k)
//                    X ← P(X − η(Xh − v)hᵀ);  S ← S + ηX;  s ← s + η
//   W ← S/s
// D is the largest distance between two such W, M the size of a gradient.
//
// Cost: 2FKl for M, then per step 2FK for Xh and about 20F for each atom with h_k ≠ 0: the others
// stay where they are, and enter S when they move next.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"
#include "buffer.hpp"
#include "kernels/panel.hpp"
#include "parallel.hpp"

namespace tamis {

template <class T>
class StochasticUpdate {
 public:
  struct Rule {
    Index buffer, steps;
    double theta;
  };

  // Puts the samples of an encoded batch into the buffer; a new pair takes the place of the oldest.
  // A sample of weight s counts as (√s v, √s h), whose gradient is s times as large; without
  // weight it is left out.
  void remember(const Batch<T>& batch, const Rule& rule);

  // The random numbers are those of mini-batch `number`.
  void update(const Rule& rule, std::uint64_t seed, Index number, const Executor& executor,
              Matrix<T>& W);

  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    archive("buffer_V", self.V_);
    archive("buffer_H", self.H_);
    archive("buffer_filled", self.filled_);
    archive("buffer_next", self.next_);
  }

 private:
  struct alignas(apart) Slot {
    Buffer<T> Y;
  };
  // M
  double gradient_size(const Matrix<T>& W, const Executor& executor);

  Matrix<T> V_;  // F×l
  Matrix<T> H_;  // l×K: a row is a sample's code
  Index filled_ = 0;
  Index next_ = 0;  // where the next pair goes

  Matrix<T> X_, S_;
  Vector<T> h_, direction_;
  Vector<T> counted_;  // of s for each atom: what is in S already; −1: it has not moved
  std::vector<Slot> slots_;
  std::vector<kernels::Sums> sums_;
  std::vector<Index> columns_;
};

}  // namespace tamis
