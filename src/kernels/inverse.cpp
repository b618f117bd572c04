#include "kernels/inverse.hpp"

#include <algorithm>

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

constexpr Index lanes = 16;

// Columns have `stride` entries, a multiple of `lanes`; those below K are 0 and stay 0. `column` is
// room for one more.
template <class T>
[[gnu::always_inline]] inline void gauss_jordan(T* __restrict A, T* __restrict column, Index K,
                                                Index stride) {
  for (Index k = 0; k < K; ++k) {
    T* const pivot = A + k * stride;
    const T inverse = 1 / pivot[k];
    std::copy_n(pivot, stride, column);
    column[k] = 0;
    for (Index j = 0; j < K; ++j) {
      if (j == k) continue;
      T* const a = A + j * stride;
      const T factor = a[k] * inverse;
      for (Index i = 0; i < stride; i += lanes) {
        for (Index lane = 0; lane < lanes; ++lane) a[i + lane] -= factor * column[i + lane];
      }
      a[k] = factor;
    }
    for (Index i = 0; i < stride; ++i) pivot[i] = -inverse * column[i];
    pivot[k] = inverse;
  }
}

TAMIS_CLONES void eliminate(float* A, float* column, Index K, Index stride) {
  gauss_jordan(A, column, K, stride);
}
TAMIS_CLONES void eliminate(double* A, double* column, Index K, Index stride) {
  gauss_jordan(A, column, K, stride);
}

template <class T>
void invert(Matrix<T>& A, std::vector<T>& memory) {
  const Index K = A.cols();
  const Index stride = (K + lanes - 1) / lanes * lanes;
  memory.assign(std::size_t(stride * (K + 1)), T(0));
  Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>> padded(memory.data(), K, K,
                                                        Eigen::OuterStride<>(stride));
  padded = A;
  eliminate(memory.data(), memory.data() + stride * K, K, stride);
  A = padded;
}

}  // namespace

void invert_definite(Matrix<float>& A, std::vector<float>& memory) { invert(A, memory); }
void invert_definite(Matrix<double>& A, std::vector<double>& memory) { invert(A, memory); }

}  // namespace tamis::kernels
