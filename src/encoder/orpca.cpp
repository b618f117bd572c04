#include "encoder/orpca.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "encoder/row_steps.hpp"
#include "kernels/blas.hpp"
#include "kernels/dense.hpp"
#include "kernels/rescale.hpp"

namespace tamis {
namespace {

using kernels::Panel;

// The samples of a block that still run, in the first rows of X and the first columns of Y.
class Block {
 public:
  Block(const Matrix<double>& W, const Matrix<double>& inverse, const Problem<double>& problem,
        const Executor& executor, const kernels::Samples<double>& V, OrpcaMemory& memory)
      : W_(W),
        inverse_(inverse),
        problem_(problem),
        executor_(executor),
        n_(V.cols()),
        running_(n_),
        memory_(memory),
        V_(V),
        tasks_(encoding_tasks(W.rows(), W.cols(), problem.entrywise())),
        H_(memory.H.view(W.cols(), n_).data()),
        S_(memory.S.view(n_, W.cols()).data()),
        X_(memory.X.view(n_, W.cols()).data()),
        X_previous_(memory.X_previous.view(n_, W.cols()).data()),
        X_next_(memory.X_next.view(n_, W.cols()).data()),
        Y_(memory.Y.view(W.rows(), n_).data()),
        Y_next_(memory.Y_next.view(W.rows(), n_).data()) {
    memory.sample.resize(std::size_t(n_));
    std::iota(memory.sample.begin(), memory.sample.end(), Index(0));
    memory.moved.resize(std::size_t(tasks_.count() * n_));
    memory.size.resize(std::size_t(n_));
  }

  Index running() const { return running_; }

  // r = 0, and the first codes
  void start() {
    std::fill_n(X_previous_, n_ * W_.cols(), 0.0);
    for (Index j = 0; j < n_; ++j) {
      double* y = Y_ + j * W_.rows();
      std::transform(V_.values.col(j), V_.values.col(j) + W_.rows(), y,
                     [](double v) { return std::isnan(v) ? 0 : v; });
      memory_.size[std::size_t(j)] = kernels::sum_of_squares(y, W_.rows());
    }
    sum_over_rows<double>(tasks_, executor_, codes(S_), memory_.task_sums,
                          [&](Panel<double> sums, Index, int, Index top, Index rows, bool first) {
                            kernels::back_product<double>(W_rows(top, rows), samples(Y_, top, rows),
                                                          !first, sums);
                          });
    solve(X_);
  }

  // r ← prox_φ(v − Wh) for the codes that are there, and the codes that follow from it
  void step() {
    std::fill(memory_.moved.begin(), memory_.moved.end(), 0.0);
    sum_over_rows<double>(
        tasks_, executor_, codes(S_), memory_.task_sums,
        [&](Panel<double> sums, Index task, int, Index top, Index rows, bool first) {
          const Panel<double> y = samples(Y_, top, rows);
          const Panel<double> y_next = samples(Y_next_, top, rows);
          clean_rows<double>(W_, codes(X_), V_, memory_.sample.data(), problem_, top, rows,
                             memory_.column, y_next);
          for (Index j = 0; j < running_; ++j) {
            memory_.moved[std::size_t(task * n_ + j)] +=
                kernels::squared_distance(y.col(j), y_next.col(j), rows);
          }
          kernels::back_product<double>(W_rows(top, rows), y_next, !first, sums);
        });
    solve(X_next_);
  }

  // Samples that have settled leave; all of them do if `everyone`. True if all that left had.
  bool retire(double tolerance, bool everyone) {
    bool all_settled = true;
    for (Index j = running_ - 1; j >= 0; --j) {
      const double allowed = tolerance * tolerance * memory_.size[std::size_t(j)];
      const bool settled = outliers_moved(j) <= allowed && codes_moved(j) <= allowed;
      if (!settled && !everyone) continue;
      all_settled = all_settled && settled;
      store(j);
      drop(j);
    }
    return all_settled;
  }

  void advance() {
    std::swap(X_previous_, X_);
    std::swap(X_, X_next_);
    std::swap(Y_, Y_next_);
  }

 private:
  Panel<const double> W_rows(Index top, Index rows) const {
    return Panel<const double>(W_.middleRows(top, rows));
  }
  Panel<double> codes(double* X) const { return {X, n_, running_, W_.cols()}; }
  Panel<double> samples(double* Y, Index top, Index rows) const {
    return {Y + top, W_.rows(), rows, running_};
  }

  // X ← S(WᵀW + λ₁I)⁻¹
  void solve(double* X) {
    kernels::product<double>(codes(S_), Panel<const double>(inverse_), codes(X));
  }

  double outliers_moved(Index j) const {
    double sum = 0;
    for (Index task = 0; task < tasks_.count(); ++task)
      sum += memory_.moved[std::size_t(task * n_ + j)];
    return sum;
  }
  double codes_moved(Index j) const {
    double sum = 0;
    for (Index at = j; at < n_ * W_.cols(); at += n_) {
      const double change = X_[at] - X_previous_[at];
      sum += change * change;
    }
    return sum;
  }

  void store(Index row) {
    double* const h = H_ + memory_.sample[std::size_t(row)] * W_.cols();
    for (Index k = 0; k < W_.cols(); ++k) h[k] = X_[k * n_ + row];
  }

  // The last running sample takes the place of this one.
  void drop(Index row) {
    const Index from = --running_;
    if (from == row) return;
    for (double* X : {X_, X_next_})
      for (Index at = 0; at < n_ * W_.cols(); at += n_) X[at + row] = X[at + from];
    std::copy_n(Y_next_ + from * W_.rows(), W_.rows(), Y_next_ + row * W_.rows());
    const auto move = [&](auto& list) { list[std::size_t(row)] = list[std::size_t(from)]; };
    move(memory_.sample);
    move(memory_.size);
  }

  const Matrix<double>&W_, &inverse_;
  const Problem<double>& problem_;
  const Executor& executor_;
  Index n_, running_;
  OrpcaMemory& memory_;
  kernels::Samples<double> V_;
  RowTasks tasks_;
  double *H_, *S_, *X_, *X_previous_, *X_next_, *Y_, *Y_next_;
};

// Samples of single precision in double; others stay where they are.
template <class T>
kernels::Samples<double> in_double(const kernels::Panel<const T>& V, Buffer<double>& copy) {
  if constexpr (std::is_same_v<T, double>) {
    return {V, {}, 1};
  } else {
    auto exact = copy.view(V.rows, V.cols);
    for (Index j = 0; j < V.cols; ++j) std::copy_n(V.col(j), V.rows, exact.col(j).data());
    return {Panel<const double>(exact), {}, 1};
  }
}

}  // namespace

template <class T>
void OrpcaEncoder<T>::prepare(const Matrix<T>& W, const Orpca& settings, const Executor& executor) {
  settings_ = settings;
  W_ = W.template cast<double>();
  G_ = gram(W_, executor, G_parts_);
  G_.diagonal().array() += settings.code_ridge(W.rows());
  regularized_ = safe_cholesky(G_, factor_);
  inverse_.setIdentity(W.cols(), W.cols());
  blas::solve_left(factor_, inverse_);
}

template <class T>
Outcome OrpcaEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                                const Executor& executor, Batch<T>& batch, Index begin, Index end,
                                Scratch& scratch, ResidualHistogram& residuals) const {
  const Index n = end - begin;
  const Problem<double> exact_problem(problem);
  Block block(W_, inverse_, exact_problem, executor,
              in_double<T>(batch.samples.values.middle_cols(begin, n), scratch.memory.V),
              scratch.memory);
  block.start();
  Outcome outcome;
  while (block.running() > 0) {
    ++outcome.iterations;
    block.step();
    const bool last = outcome.iterations == settings_.iterations;
    const bool settled = block.retire(settings_.tolerance, last);
    outcome.converged = outcome.converged && settled;
    block.advance();
  }
  batch.H.middleCols(begin, n) = scratch.memory.H.view(W.cols(), n).template cast<T>();
  finish_block(W, problem, executor, batch, begin, end, scratch.finish, residuals);
  // λ₁/2‖h‖² is not among the settings' penalties.
  const double ridge = settings_.code_ridge(W.rows());
  for (Index j = begin; j < end; ++j) {
    const double penalty = ridge / 2 * batch.H.col(j).template cast<double>().squaredNorm();
    batch.loss[j] += penalty;
    batch.constant[j] += penalty;
  }
  return outcome;
}

template class OrpcaEncoder<float>;
template class OrpcaEncoder<double>;

}  // namespace tamis
