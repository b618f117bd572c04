#include "algorithm/orpca.hpp"

#include <limits>

namespace tamis {

template <class T>
void OrpcaAlgorithm<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                               const Executor& executor, Batch<T>& batch) {
  executor.wake();
  encoder_.prepare(W, settings_, executor);
  blocks_.run_samples_or_rows(
      executor, fair_block(batch.size(), executor), batch,
      [&](const Executor& rows, Index begin, Index end, auto& scratch, auto& residuals) {
        return encoder_.encode(W, problem, rows, batch, begin, end, scratch, residuals);
      });
}

template <class T>
void OrpcaAlgorithm<T>::minimise(const DictionaryProblem<T>& problem, Matrix<T>& W) {
  if (settings_.unit_columns) {
    update_.update_normalised(problem, {1, 0}, W);
  } else {
    update_.update_projected(problem, {1, 0}, W);
  }
}

template <class T>
void OrpcaAlgorithm<T>::update(const Executor& executor, const Batch<T>&, const Increment<T>&,
                               Model<T>& model) {
  // The penalty alone would make L zero, and zero it would stay.
  if (!(model.weight > 0) || model.A.isZero(0)) return;
  const DictionaryPenalty penalty = model.dictionary_penalty();
  if (settings_.unit_columns) {
    problem_.set(model.A, model.B, model.settings.constraint.value(), penalty);
    minimise(problem_, model.W);
    return;
  }
  // The rows of W are independent.
  A_ = model.A;
  A_.diagonal().array() += penalty.l2;
  update_.update_free(A_, model.B, {1, 0}, -std::numeric_limits<T>::infinity(), executor, model.W);
}

template class OrpcaAlgorithm<float>;
template class OrpcaAlgorithm<double>;

}  // namespace tamis
