// Matrices as they are everywhere in tamis: column-major, one column per sample.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tamis {

using Index = Eigen::Index;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
using MatrixRef = Eigen::Ref<Matrix<T>>;
template <class T>
using ConstMatrixRef = Eigen::Ref<const Matrix<T>>;
template <class T>
using VectorRef = Eigen::Ref<Vector<T>>;
template <class T>
using ConstVectorRef = Eigen::Ref<const Vector<T>>;

// A partition of feature or atom indices; empty means one group that holds them all.
using Groups = std::vector<std::vector<Index>>;

}  // namespace tamis
