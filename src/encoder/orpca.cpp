#include "encoder/orpca.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "encoder/row_steps.hpp"
#include "kernels/blas.hpp"
#include "kernels/dense.hpp"
#include "kernels/rescale.hpp"

namespace tamis {
namespace {

using kernels::Panel;

// The samples of a block that still run, in the first rows of X and the first columns of Y.
template <class T>
class Block {
 public:
  using Scratch = typename OrpcaEncoder<T>::Scratch;

  Block(const Matrix<T>& W, const Matrix<T>& Z, const Problem<T>& problem, const Executor& executor,
        Batch<T>& batch, Index begin, Index end, Scratch& scratch)
      : W_(W),
        Z_(Z),
        problem_(problem),
        executor_(executor),
        batch_(batch),
        begin_(begin),
        n_(end - begin),
        running_(n_),
        scratch_(scratch),
        V_(batch.samples.middle_cols(begin, n_)),
        tasks_(encoding_tasks(W.rows(), W.cols(), problem.entrywise())),
        X_(scratch.X.view(n_, W.cols()).data()),
        X_previous_(scratch.X_previous.view(n_, W.cols()).data()),
        X_next_(scratch.X_next.view(n_, W.cols()).data()),
        Y_(scratch.Y.view(W.rows(), n_).data()),
        Y_next_(scratch.Y_next.view(W.rows(), n_).data()) {
    scratch.sample.resize(std::size_t(n_));
    std::iota(scratch.sample.begin(), scratch.sample.end(), Index(0));
    scratch.moved.resize(std::size_t(tasks_.count() * n_));
    scratch.size.resize(std::size_t(n_));
  }

  Index running() const { return running_; }

  // r = 0, and the first codes
  void start() {
    std::fill_n(X_previous_, n_ * W_.cols(), T(0));
    for (Index j = 0; j < n_; ++j) {
      T* y = Y_ + j * W_.rows();
      std::transform(V_.values.col(j), V_.values.col(j) + W_.rows(), y,
                     [](T v) { return std::isnan(v) ? T(0) : v; });
      scratch_.size[std::size_t(j)] = kernels::sum_of_squares(y, W_.rows());
    }
    sum_over_rows<T>(tasks_, executor_, codes(X_), scratch_.task_sums,
                     [&](Panel<T> sums, Index, int, Index top, Index rows, bool first) {
                       kernels::back_product<T>(Z_rows(top, rows), samples(Y_, top, rows), !first,
                                                sums);
                     });
  }

  // r ← prox_φ(v − Wh) for the codes that are there, and the codes that follow from it
  void step() {
    std::fill(scratch_.moved.begin(), scratch_.moved.end(), 0.0);
    sum_over_rows<T>(tasks_, executor_, codes(X_next_), scratch_.task_sums,
                     [&](Panel<T> sums, Index task, int, Index top, Index rows, bool first) {
                       const Panel<T> y = samples(Y_, top, rows);
                       const Panel<T> y_next = samples(Y_next_, top, rows);
                       clean_rows<T>(W_, codes(X_), V_, scratch_.sample.data(), problem_, top, rows,
                                     scratch_.column, y_next);
                       for (Index j = 0; j < running_; ++j) {
                         scratch_.moved[std::size_t(task * n_ + j)] +=
                             kernels::squared_distance(y.col(j), y_next.col(j), rows);
                       }
                       kernels::back_product<T>(Z_rows(top, rows), y_next, !first, sums);
                     });
  }

  // Samples that have settled leave; all of them do if `everyone`. True if all that left had.
  bool retire(double tolerance, bool everyone) {
    bool all_settled = true;
    for (Index j = running_ - 1; j >= 0; --j) {
      const double allowed = tolerance * tolerance * scratch_.size[std::size_t(j)];
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
  Panel<const T> Z_rows(Index top, Index rows) const {
    return Panel<const T>(Z_.middleRows(top, rows));
  }
  Panel<T> codes(T* X) const { return {X, n_, running_, W_.cols()}; }
  Panel<T> samples(T* Y, Index top, Index rows) const {
    return {Y + top, W_.rows(), rows, running_};
  }

  double outliers_moved(Index j) const {
    double sum = 0;
    for (Index task = 0; task < tasks_.count(); ++task)
      sum += scratch_.moved[std::size_t(task * n_ + j)];
    return sum;
  }
  double codes_moved(Index j) const {
    double sum = 0;
    for (Index at = j; at < n_ * W_.cols(); at += n_) {
      const double change = double(X_[at]) - double(X_previous_[at]);
      sum += change * change;
    }
    return sum;
  }

  void store(Index row) {
    auto h = batch_.H.col(begin_ + scratch_.sample[std::size_t(row)]);
    for (Index k = 0; k < h.size(); ++k) h[k] = X_[k * n_ + row];
  }

  // The last running sample takes the place of this one.
  void drop(Index row) {
    const Index from = --running_;
    if (from == row) return;
    for (T* X : {X_, X_next_})
      for (Index at = 0; at < n_ * W_.cols(); at += n_) X[at + row] = X[at + from];
    std::copy_n(Y_next_ + from * W_.rows(), W_.rows(), Y_next_ + row * W_.rows());
    const auto move = [&](auto& list) { list[std::size_t(row)] = list[std::size_t(from)]; };
    move(scratch_.sample);
    move(scratch_.size);
  }

  const Matrix<T>&W_, &Z_;
  const Problem<T>& problem_;
  const Executor& executor_;
  Batch<T>& batch_;
  Index begin_, n_, running_;
  Scratch& scratch_;
  kernels::Samples<T> V_;  // of this block
  RowTasks tasks_;
  T *X_, *X_previous_, *X_next_, *Y_, *Y_next_;
};

}  // namespace

template <class T>
void OrpcaEncoder<T>::prepare(const Matrix<T>& W, const Orpca& settings, const Executor& executor) {
  settings_ = settings;
  exact_Z_ = W.template cast<double>();
  G_ = gram(exact_Z_, executor, G_parts_);
  G_.diagonal().array() += settings.code_ridge(W.rows());
  safe_cholesky(G_, std::numeric_limits<double>::epsilon(), factor_);
  executor.for_each_block(W.rows(), row_block, [&](Index begin, Index end, int) {
    blas::solve_right(factor_, exact_Z_.middleRows(begin, end - begin));
  });
  Z_ = exact_Z_.template cast<T>();
}

template <class T>
Outcome OrpcaEncoder<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                                const Executor& executor, Batch<T>& batch, Index begin, Index end,
                                Scratch& scratch, ResidualHistogram& residuals) const {
  Block<T> block(W, Z_, problem, executor, batch, begin, end, scratch);
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
