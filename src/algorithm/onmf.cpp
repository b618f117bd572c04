#include "algorithm/onmf.hpp"

namespace tamis {

template <class T>
void OnmfAlgorithm<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                              const Executor& executor, Batch<T>& batch) {
  executor.wake();
  encoder_.prepare(W, {settings_.tolerance, settings_.iterations}, executor);
  blocks_.run_samples_or_rows(
      executor, batch,
      [&](const Executor& rows, Index begin, Index end, auto& scratch, auto& residuals) {
        return encoder_.encode(W, problem, rows, batch, begin, end, scratch, residuals);
      });
}

template <class T>
void OnmfAlgorithm<T>::update(const Executor& executor, const Batch<T>& batch, const Increment<T>&,
                              Model<T>& model) {
  const typename StochasticUpdate<T>::Rule rule{settings_.buffer, settings_.steps, settings_.theta};
  update_.remember(batch, rule);
  update_.update(rule, seed_, model.batches, executor, model.W);
}

template class OnmfAlgorithm<float>;
template class OnmfAlgorithm<double>;

}  // namespace tamis
