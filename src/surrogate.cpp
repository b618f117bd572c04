#include "surrogate.hpp"

#include "encoder/row_tasks.hpp"
#include "kernels/blas.hpp"

namespace tamis {

// In double also for float models: f̃ is a small difference of large terms.
template <class T>
void Surrogate<T>::add(const Model<T>& model, bool penalised, Index top, Index rows,
                       Matrix<double>& W, Part& part) const {
  W = model.W.middleRows(top, rows).template cast<double>();
  blas::syrk(1.0, W, 1.0, part.G, 'T');
  part.W_B += W.cwiseProduct(model.B.middleRows(top, rows)).sum();
  if (!penalised) return;
  part.l1 += W.template lpNorm<1>();
  part.square += W.squaredNorm();
}

template <class T>
double Surrogate<T>::value(const Model<T>& model, const Executor& executor) {
  const Index K = model.rank();
  const RowTasks tasks = RowTasks::halves(model.features());
  parts_.resize(std::size_t(tasks.count()));
  panels_.resize(std::size_t(executor.slots()));
  for (auto& part : parts_) {
    part.G.setZero(K, K);
    part.W_B = part.l1 = part.square = 0;
  }
  const DictionaryPenalty penalty = model.dictionary_penalty();
  tasks.run(executor, [&](Index task, int slot, Index top, Index rows) {
    add(model, penalty.active(), top, rows, panels_[std::size_t(slot)], parts_[std::size_t(task)]);
  });
  double quadratic = 0;
  double linear = 0;
  for (const Part& part : parts_) {
    // tr(GA) of symmetric matrices from their lower triangles
    quadratic += part.G.diagonal().dot(model.A.diagonal());
    for (Index k = 0; k < K; ++k) {
      const Index below = K - k - 1;
      quadratic += 2 * part.G.col(k).tail(below).dot(model.A.col(k).tail(below));
    }
    linear += penalty.l1 * part.l1 + penalty.l2 / 2 * part.square - part.W_B;
  }
  return quadratic / 2 + linear + model.c;
}

template class Surrogate<float>;
template class Surrogate<double>;

}  // namespace tamis
