#include "experiments/atom_measures.hpp"

#include <cmath>

#include "evaluate/median.hpp"
#include "experiments/json_number.hpp"
#include "tamis/evaluate.hpp"

namespace tamis::experiments {
namespace {

// Mean square distance of weights from their centre
double variance_of_place(const Vector<double>& weight, Index width) {
  const double total = weight.sum();
  if (!(total > 0)) return 0;
  double x = 0, y = 0, square = 0;
  for (Index i = 0; i < weight.size(); ++i) {
    const Index line = i / width;
    const auto column = double(i % width), row = double(line);
    x += weight[i] * column;
    y += weight[i] * row;
    square += weight[i] * (column * column + row * row);
  }
  return square / total - (x * x + y * y) / (total * total);
}

}  // namespace

double spread(const Matrix<float>& W, const std::vector<Index>& shape) {
  const double even = variance_of_place(Vector<double>::Ones(W.rows()), shape[1]);
  double sum = 0;
  for (Index k = 0; k < W.cols(); ++k)
    sum += std::sqrt(variance_of_place(W.col(k).cast<double>().cwiseAbs2(), shape[1]) / even);
  return sum / double(W.cols());
}

double speckle(const Matrix<float>& W, const std::vector<Index>& shape) {
  double sum = 0;
  for (Index k = 0; k < W.cols(); ++k) {
    const double size = W.col(k).norm();
    if (size > 0) sum += double((W.col(k) - median3(W.col(k), shape)).norm()) / size;
  }
  return sum / double(W.cols());
}

double negative_share(const Matrix<float>& W) {
  const double all = W.squaredNorm();
  return all > 0 ? double(W.cwiseMin(0.F).squaredNorm()) / all : 0;
}

Json atom_measures(const Matrix<float>& W, const std::vector<Index>& shape) {
  return {{"hoyer", number_or_null(hoyer_sparsity<float>(W))},
          {"spread", number_or_null(spread(W, shape))},
          {"speckle", number_or_null(speckle(W, shape))},
          {"negative_share", number_or_null(negative_share(W))}};
}

}  // namespace tamis::experiments
