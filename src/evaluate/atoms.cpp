#include <fmt/format.h>

#include <cmath>

#include "evaluate/assignment.hpp"
#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"

namespace tamis {
namespace {

// Unit columns of the rows that count; a column of zeros stays one, so its cosines are 0.
template <class T>
Matrix<double> unit_columns(ConstMatrixRef<T> W, const std::vector<Index>& rows) {
  Matrix<double> result = W(rows, Eigen::all).template cast<double>();
  for (Index k = 0; k < result.cols(); ++k) result.col(k).normalize();
  return result;
}

// Pearson's, of unit columns.
double correlation_of(const Vector<double>& x, const Vector<double>& y) {
  const Vector<double> dx = x.array() - x.mean(), dy = y.array() - y.mean();
  const double product = dx.norm() * dy.norm();
  // Against entries of size 1/√F, so small a deviation is only rounding.
  constexpr double constant = 1e-12;
  return product > constant ? dx.dot(dy) / product : 0;
}

std::vector<Index> rows_that_count(Index F, const std::vector<Index>& ignored_rows) {
  std::vector<bool> counts(std::size_t(F), true);
  for (const Index row : ignored_rows) {
    if (row < 0 || row >= F)
      throw DataError(fmt::format("row {} to leave out is not among {} rows", row, F));
    counts[std::size_t(row)] = false;
  }
  std::vector<Index> rows;
  for (Index i = 0; i < F; ++i)
    if (counts[std::size_t(i)]) rows.push_back(i);
  if (rows.empty()) throw DataError("no feature is left to compare atoms by");
  return rows;
}

}  // namespace

template <class T>
AtomMatch match_atoms(ConstMatrixRef<T> truth, ConstMatrixRef<T> learned,
                      const std::vector<Index>& ignored_rows) {
  if (truth.rows() != learned.rows())
    throw DataError(fmt::format("atoms of {} and of {} features cannot be compared", truth.rows(),
                                learned.rows()));
  if (!truth.allFinite() || !learned.allFinite())
    throw DataError("atoms with entries that are not finite cannot be compared");

  const std::vector<Index> rows = rows_that_count(truth.rows(), ignored_rows);
  const Matrix<double> true_units = unit_columns<T>(truth, rows);
  const Matrix<double> learned_units = unit_columns<T>(learned, rows);
  const Matrix<double> cosine = true_units.transpose() * learned_units;
  AtomMatch match{std::vector<Index>(std::size_t(truth.cols()), -1),
                  Vector<double>::Zero(truth.cols()), Vector<double>::Zero(truth.cols())};
  const auto pair = [&](Index k, Index j) {
    match.learned[std::size_t(k)] = j;
    match.cosine[k] = cosine(k, j);
    match.correlation[k] = correlation_of(true_units.col(k), learned_units.col(j));
  };
  if (truth.cols() <= learned.cols()) {
    const std::vector<Index> partner = cheapest_assignment(-cosine);
    for (Index k = 0; k < truth.cols(); ++k) pair(k, partner[std::size_t(k)]);
  } else {
    const std::vector<Index> partner = cheapest_assignment(-cosine.transpose());
    for (Index j = 0; j < learned.cols(); ++j) pair(partner[std::size_t(j)], j);
  }
  return match;
}

template <class T>
double hoyer_sparsity(ConstMatrixRef<T> W) {
  if (W.cols() == 0 || W.rows() < 2)
    throw DataError("the sparsity needs at least one column and two rows");
  const double root = std::sqrt(double(W.rows()));
  double sum = 0;
  for (Index k = 0; k < W.cols(); ++k) {
    const Vector<double> w = W.col(k).template cast<double>();
    const double norm = w.norm();
    sum += norm > 0 ? (root - w.template lpNorm<1>() / norm) / (root - 1) : 1;
  }
  return sum / double(W.cols());
}

template AtomMatch match_atoms(ConstMatrixRef<float>, ConstMatrixRef<float>,
                               const std::vector<Index>&);
template AtomMatch match_atoms(ConstMatrixRef<double>, ConstMatrixRef<double>,
                               const std::vector<Index>&);
template double hoyer_sparsity(ConstMatrixRef<float>);
template double hoyer_sparsity(ConstMatrixRef<double>);

}  // namespace tamis
