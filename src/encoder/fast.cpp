#include "encoder/fast.hpp"

#include <algorithm>

#include "encoder/fast_block.hpp"
#include "encoder/row_tasks.hpp"

namespace tamis {
namespace {

constexpr Index most_parts = 64;  // of a sum over rows

// Two threads share also a few hundred rows: both are going to need W in their caches anyway.
Index shared_rows(Index F) {
  constexpr Index least = 128;
  return std::clamp(((F + 1) / 2 + 31) / 32 * 32, least, row_block);
}

}  // namespace

// G = WᵀW
template <class T>
void FastEncoder<T>::prepare(const Matrix<T>& W, const Fast& settings, const Executor& executor) {
  settings_ = settings;
  const Index K = W.cols();
  const Index panel_rows = shared_rows(W.rows());
  const Index block = std::max(panel_rows, (W.rows() + most_parts - 1) / most_parts);
  G_parts_.resize(std::size_t((W.rows() + block - 1) / block));
  executor.for_each_block(W.rows(), block, [&](Index begin, Index end, int) {
    Matrix<T>& part = G_parts_[std::size_t(begin / block)];
    part.resize(K, K);
    for (Index top = begin; top < end; top += panel_rows) {
      const kernels::Panel<const T> panel(W.middleRows(top, std::min(panel_rows, end - top)));
      kernels::back_product<T>(panel, panel, top > begin, kernels::Panel<T>(part));
    }
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
