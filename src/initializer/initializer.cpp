#include "tamis/initializer/initializer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "kernels/dense.hpp"
#include "random/random.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

void need_samples(std::string_view init, Index have, Index K) {
  if (have >= K) return;
  throw DataError(
      fmt::format("init {} needs a first mini-batch of at least rank = {} samples, it has {}; "
                  "use a larger batch_size or init uniform",
                  init, K, have));
}

// Missing entries as the mean of the sample's others.
template <class T>
Matrix<double> without_missing(ConstMatrixRef<T> V) {
  Matrix<double> filled = V.template cast<double>();
  for (Index j = 0; j < filled.cols(); ++j) {
    auto column = filled.col(j).array();
    const auto seen = !column.isNaN();
    const double mean = seen.any() ? seen.select(column, 0).sum() / double(seen.count()) : 0;
    column = seen.select(column, mean);
  }
  return filled;
}

struct SingularVectors {
  Matrix<double> left, right;
};

// By the eigenvectors of the smaller of VᵀV and VVᵀ; squaring costs half of the digits, which a
// start can spare.
SingularVectors leading_singular_vectors(const Matrix<double>& V, Index K) {
  const bool tall = V.rows() >= V.cols();
  const Matrix<double> gram =
      tall ? Matrix<double>(V.transpose() * V) : Matrix<double>(V * V.transpose());
  SymmetricEigen eigen;
  eigen.compute(gram);
  Matrix<double> one = eigen.vectors().rowwise().reverse().leftCols(K);
  Matrix<double> other = tall ? Matrix<double>(V * one) : Matrix<double>(V.transpose() * one);
  for (Index j = 0; j < K; ++j) other.col(j).stableNormalize();
  return tall ? SingularVectors{std::move(other), std::move(one)}
              : SingularVectors{std::move(one), std::move(other)};
}

}  // namespace

template <class T>
Matrix<T> UniformInit::make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const {
  Matrix<T> W(V.rows(), K);
  for (Index j = 0; j < K; ++j)
    RandomStream(seed, Purpose::dictionary, 0, j).fill_uniform<T>(W.col(j));
  return W;
}

template <class T>
Matrix<T> HalfNormalInit::make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const {
  Matrix<T> W(V.rows(), K);
  for (Index j = 0; j < K; ++j)
    RandomStream(seed, Purpose::dictionary, 0, j).fill_half_normal<T>(W.col(j));
  return W;
}

template <class T>
Matrix<T> SamplesInit::make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const {
  need_samples(name, V.cols(), K);
  const Matrix<double> filled = without_missing<T>(V);
  std::vector<Index> order(std::size_t(V.cols()));
  std::iota(order.begin(), order.end(), 0);
  RandomStream stream(seed, Purpose::dictionary);
  Matrix<T> W(V.rows(), K);
  for (Index j = 0; j < K; ++j) {
    std::swap(order[std::size_t(j)], order[std::size_t(j + stream.below(V.cols() - j))]);
    W.col(j) = filled.col(order[std::size_t(j)]).stableNormalized().template cast<T>();
  }
  return W;
}

// Boutsidis, Gallopoulos: SVD based initialization, Pattern Recognition 41 (2008). Only W is
// needed. Of each pair of singular vectors the sign part with the larger product of norms is kept.
template <class T>
Matrix<T> NndsvdInit::make(ConstMatrixRef<T> V, Index K, std::uint64_t /*seed*/) const {
  need_samples(name, V.cols(), K);
  if (V.rows() < K) {
    throw DataError(
        fmt::format("init {} gives at most as many atoms as features: rank = {}, features = {}",
                    name, K, V.rows()));
  }
  const Matrix<double> filled = without_missing<T>(V);
  const SingularVectors svd = leading_singular_vectors(filled, K);
  Matrix<T> W(V.rows(), K);
  for (Index j = 0; j < K; ++j) {
    const Vector<double> u = svd.left.col(j);
    const Vector<double> v = svd.right.col(j);
    const double plus = u.cwiseMax(0).norm() * v.cwiseMax(0).norm();
    const double minus = (-u).cwiseMax(0).norm() * (-v).cwiseMax(0).norm();
    const Vector<double> part =
        plus >= minus ? Vector<double>(u.cwiseMax(0)) : Vector<double>((-u).cwiseMax(0));
    W.col(j) = part.stableNormalized().template cast<T>();
  }
  return W;
}

#define TAMIS_INSTANTIATE(Init, T) \
  template Matrix<T> Init::make(ConstMatrixRef<T>, Index, std::uint64_t) const;
TAMIS_INSTANTIATE(UniformInit, float)
TAMIS_INSTANTIATE(UniformInit, double)
TAMIS_INSTANTIATE(HalfNormalInit, float)
TAMIS_INSTANTIATE(HalfNormalInit, double)
TAMIS_INSTANTIATE(SamplesInit, float)
TAMIS_INSTANTIATE(SamplesInit, double)
TAMIS_INSTANTIATE(NndsvdInit, float)
TAMIS_INSTANTIATE(NndsvdInit, double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis
