#include "encoder/fast.hpp"

#include <cmath>

#include "encoder/fast_block.hpp"
#include "encoder/row_tasks.hpp"

namespace tamis {

// G = WᵀW
template <class T>
void FastEncoder<T>::prepare(const Matrix<T>& W, const Fast& settings, const Executor& executor) {
  settings_ = settings;
  const Index K = W.cols();
  const RowTasks tasks(W.rows(), 2 * K);
  G_parts_.resize(std::size_t(tasks.count()));
  for (auto& part : G_parts_) part.setZero(K, K);
  tasks.run(executor, [&](Index task, int, Index top, Index rows) {
    const kernels::Panel<const T> panel(W.middleRows(top, rows));
    kernels::back_product<T>(panel, panel, true, kernels::Panel<T>(G_parts_[std::size_t(task)]));
  });
  Matrix<T>& G = G_parts_.front();
  for (std::size_t task = 1; task < G_parts_.size(); ++task) G += G_parts_[task];
  solver_.prepare(G, settings.rho, !(settings.tolerance > 0));
}

template <class T>
Outcome FastEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                               const WarmStart<T>& warm, const Executor& executor, Batch<T>& batch,
                               Index begin, Index end, Scratch& scratch,
                               ResidualHistogram& residuals, WarmStart<T>* last) const {
  FastBlock<T> block(W, problem, solver_, executor, batch, begin, end, scratch, last);
  if (warm.size() > 0) {
    block.start_from(warm);
  } else {
    block.start();
  }
  const bool check = settings_.tolerance > 0;
  Outcome outcome{0, !check};
  while (outcome.iterations < settings_.iterations && block.running() > 0) {
    block.back_project(outcome.iterations == 0);
    ++outcome.iterations;
    block.step(T(settings_.relaxation));
    if (!check) continue;
    if (outcome.iterations == settings_.iterations) break;
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
