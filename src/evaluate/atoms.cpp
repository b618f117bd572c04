#include <fmt/format.h>

#include <cmath>

#include "evaluate/assignment.hpp"
#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"

namespace tamis {
namespace {

// Unit columns without the ignored rows; a column of zeros stays one, so its cosines are 0.
template <class T>
Matrix<double> unit_columns(ConstMatrixRef<T> W, const std::vector<Index>& ignored_rows) {
  Matrix<double> result = W.template cast<double>();
  for (const Index row : ignored_rows) result.row(row).setZero();
  for (Index k = 0; k < result.cols(); ++k) result.col(k).normalize();
  return result;
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
  for (const Index row : ignored_rows)
    if (row < 0 || row >= truth.rows())
      throw DataError(fmt::format("row {} to leave out is not among {} rows", row, truth.rows()));

  const Matrix<double> cosine =
      unit_columns<T>(truth, ignored_rows).transpose() * unit_columns<T>(learned, ignored_rows);
  AtomMatch match{std::vector<Index>(std::size_t(truth.cols()), -1),
                  Vector<double>::Zero(truth.cols())};
  const auto pair = [&](Index k, Index j) {
    match.learned[std::size_t(k)] = j;
    match.cosine[k] = cosine(k, j);
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
