#include "encoder/fast_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "encoder/row_steps.hpp"

namespace tamis {

template <class T>
FastBlock<T>::FastBlock(const Matrix<T>& W, const Problem<T>& problem, const RidgeSolver<T>& solver,
                        const Executor& executor, Batch<T>& batch, Index begin, Index end,
                        Scratch& s, WarmStart<T>* last)
    : W_(W),
      problem_(problem),
      solver_(solver),
      executor_(executor),
      batch_(batch),
      begin_(begin),
      n_(end - begin),
      scratch_(s),
      last_(last),
      V_(batch.samples.middle_cols(begin, end - begin)),
      tasks_(encoding_tasks(W.rows(), W.cols(), problem.entrywise())),
      codes_{n_,
             W.cols(),
             n_,
             s.rho.view(n_).data(),
             s.S.view(n_, W.cols()).data(),
             s.H.view(n_, W.cols()).data(),
             s.U.view(n_, W.cols()).data(),
             s.U_previous.view(n_, W.cols()).data(),
             s.alpha.view(n_, W.cols()).data()},
      rho_(s.rho.view(n_).data()),
      size_(s.size.view(n_).data()),
      primal_(s.primal.view(n_).data()),
      dual_(s.dual.view(n_).data()) {
  s.sample.resize(std::size_t(n_));
  std::iota(s.sample.begin(), s.sample.end(), Index(0));
  s.Y.resize(std::size_t(executor.slots()));
  std::fill_n(rho_, n_, solver.rho());
  std::fill_n(codes_.alpha, n_ * codes_.K, T(0));
  std::fill_n(codes_.U, n_ * codes_.K, T(0));
}

// S ← the sum over the rows of what add(sums, slot, top, rows, first panel) adds
template <class T>
template <class Add>
void FastBlock<T>::sum_rows(const Add& add) {
  sum_over_rows<T>(tasks_, executor_, Panel(codes_.S, codes_.stride, codes_.n, codes_.K),
                   scratch_.task_sums,
                   [&](Panel sums, Index, int slot, Index top, Index rows, bool first) {
                     add(sums, slot, top, rows, first);
                   });
}

// Samples as they are; where an entry is missing, the mean of the sample's others: a zero would
// pull the first codes down.
template <class T>
void FastBlock<T>::load(Index top, Index rows, Panel Y) const {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const kernels::Shrinkage<T> nothing{infinity, 1, -infinity, infinity};
  kernels::cleaned_product<T>(ConstPanel(W_.data(), W_.outerStride(), rows, 0),
                              ConstPanel(W_.data(), n_, n_, 0), V_.middle_rows(top, rows),
                              scratch_.sample.data(), nothing, Y);
  if (!batch_.has_missing) return;
  for (Index j = 0; j < n_; ++j) {
    const T* v = V_.values.col(j) + top;
    for (Index i = 0; i < rows; ++i)
      if (std::isnan(v[i])) Y.col(j)[i] = size_[j];
  }
}

// The mean of each sample's observed entries, in the place of its size
template <class T>
void FastBlock<T>::fill_means() {
  for (Index j = 0; j < n_; ++j) {
    double sum = 0;
    Index seen = 0;
    for (Index i = 0; i < V_.rows(); ++i) {
      const T v = V_.values.col(j)[i];
      if (std::isnan(v)) continue;
      sum += double(v);
      ++seen;
    }
    size_[j] = seen > 0 ? T(sum / double(seen)) : T(0);
  }
}

template <class T>
void FastBlock<T>::start() {
  if (batch_.has_missing) fill_means();
  const bool in_place = !V_.stored_as_bytes() && !batch_.has_missing;
  sum_rows([&](Panel sums, int slot, Index top, Index rows, bool first) {
    if (in_place) {
      kernels::back_product<T>(W_rows(top, rows), V_.values.middle_rows(top, rows), !first, sums);
      return;
    }
    const Panel Y = Y_panel(slot, rows, n_);
    load(top, rows, Y);
    kernels::back_product<T>(W_rows(top, rows), Y, !first, sums);
  });
  kernels::right_side(codes_);
  solver_.solve(codes_);
  std::fill_n(size_, n_, T(0));
  for (Index k = 0; k < codes_.K; ++k) {
    for (Index j = 0; j < n_; ++j) {
      const T h = codes_.H[k * n_ + j];
      size_[j] += h * h;
      codes_.U[k * n_ + j] = std::max(h, T(0));
    }
  }
  for (Index j = 0; j < n_; ++j) size_[j] = std::sqrt(size_[j]);
}

template <class T>
void FastBlock<T>::start_from(const WarmStart<T>& warm) {
  for (Index k = 0; k < codes_.K; ++k) {
    std::fill_n(codes_.U + k * n_, n_, warm(k, 0));
    std::fill_n(codes_.alpha + k * n_, n_, warm(k, 1));
  }
}

template <class T>
void FastBlock<T>::back_project(bool from_u) {
  const ConstPanel X(from_u ? codes_.U : codes_.H, codes_.stride, codes_.n, codes_.K);
  sum_rows([&](Panel sums, int slot, Index top, Index rows, bool first) {
    const Panel Y = Y_panel(slot, rows, codes_.n);
    clean_rows<T>(W_, X, V_, scratch_.sample.data(), problem_, top, rows, scratch_.column, Y);
    kernels::back_product<T>(W_rows(top, rows), Y, !first, sums);
  });
}

template <class T>
void FastBlock<T>::step(T relaxation) {
  kernels::right_side(codes_);
  solver_.solve(codes_);
  const bool penalised = problem_.penalises_codes();
  kernels::relax(codes_, relaxation, !penalised);
  if (!penalised) return;
  auto h = scratch_.column.view(codes_.K);
  for (Index j = 0; j < codes_.n; ++j) {
    for (Index k = 0; k < codes_.K; ++k) h[k] = codes_.U[k * codes_.stride + j];
    problem_.prox_codes(h, 1 / rho_[j]);
    for (Index k = 0; k < codes_.K; ++k) codes_.U[k * codes_.stride + j] = h[k];
  }
  kernels::settle(codes_);
}

template <class T>
void FastBlock<T>::retire(T tolerance) {
  kernels::measure_steps(codes_, primal_, dual_);
  for (Index j = codes_.n - 1; j >= 0; --j) {
    const T allowed = tolerance * tolerance * size_[j] * size_[j];
    if (!(primal_[j] <= allowed && dual_[j] <= allowed)) continue;
    store(j);
    drop(j);
  }
}

template <class T>
void FastBlock<T>::store(Index row) {
  const Index j = scratch_.sample[std::size_t(row)];
  for (Index k = 0; k < codes_.K; ++k) batch_.H(k, begin_ + j) = codes_.U[k * codes_.stride + row];
  if (last_ == nullptr || j != n_ - 1) return;
  last_->resize(codes_.K, 2);
  last_->col(0) = batch_.H.col(begin_ + j);
  for (Index k = 0; k < codes_.K; ++k) (*last_)(k, 1) = codes_.alpha[k * codes_.stride + row];
}

// The last running sample takes the place of this one, so that the running ones stay together.
template <class T>
void FastBlock<T>::drop(Index row) {
  const Index from = --codes_.n;
  if (from == row) return;
  for (Index k = 0; k < codes_.K; ++k) {
    const Index at = k * codes_.stride;
    for (T* matrix : {codes_.H, codes_.U, codes_.alpha}) matrix[at + row] = matrix[at + from];
  }
  for (T* vector : {rho_, size_, primal_, dual_}) vector[row] = vector[from];
  scratch_.sample[std::size_t(row)] = scratch_.sample[std::size_t(from)];
}

template <class T>
void FastBlock<T>::adapt(Index iteration) {
  constexpr Index interval = 10;
  constexpr Index last = 200;  // convergence is proven for a ρ that settles down
  if (iteration % interval != 0 || iteration > last) return;
  constexpr T most = 100;  // away from where it began
  for (Index j = 0; j < codes_.n; ++j) {
    const T ratio = std::sqrt(primal_[j] / std::max(dual_[j], std::numeric_limits<T>::min()));
    if (ratio < T(3) && ratio > T(1) / 3) continue;
    const T factor = std::clamp(std::sqrt(ratio), T(0.5), T(2));
    rho_[j] = std::clamp(rho_[j] * factor, solver_.rho() / most, solver_.rho() * most);
  }
}

template <class T>
void FastBlock<T>::finish(ResidualHistogram& residuals) {
  for (; codes_.n > 0; --codes_.n) store(codes_.n - 1);
  finish_block(W_, problem_, executor_, batch_, begin_, begin_ + n_, scratch_.finish, residuals);
}

template class FastBlock<float>;
template class FastBlock<double>;

}  // namespace tamis
