#include "encoder/fast.hpp"

#include "encoder/fast_block.hpp"
#include "encoder/row_steps.hpp"

namespace tamis {
template <class T>
void FastEncoder<T>::prepare(const Matrix<T>& W, const Fast& settings, const Executor& executor) {
  settings_ = settings;
  solver_.prepare(gram(W, executor, G_parts_), settings.rho, !(settings.tolerance > 0));
}

template <class T>
Outcome FastEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                               const WarmStart<T>& warm, const Executor& executor, Batch<T>& batch,
                               Index begin, Index end, Scratch& scratch,
                               ResidualHistogram& residuals, WarmStart<T>* last) const {
  FastBlock<T> block(W, problem, solver_, executor, batch, begin, end, scratch, last);
  const bool check = settings_.tolerance > 0;
  // The accuracy is relative to what a start of its own tells of a sample.
  if (check || warm.size() == 0) block.start();
  if (warm.size() > 0) block.start_from(warm);
  Outcome outcome;
  while (outcome.iterations < settings_.iterations && block.running() > 0) {
    block.back_project(outcome.iterations == 0);
    ++outcome.iterations;
    block.step(T(settings_.relaxation));
    if (!check) continue;
    block.retire(T(settings_.tolerance));
    block.adapt(outcome.iterations);
  }
  outcome.converged = !check || block.running() == 0;
  block.finish(residuals);
  return outcome;
}

template class FastEncoder<float>;
template class FastEncoder<double>;

}  // namespace tamis
