#include "kernels/relax.hpp"

#include <limits>

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

template <class T>
[[gnu::always_inline]] inline void right_side_of(const CodeBlock<T>& b) {
  for (Index k = 0; k < b.K; ++k) {
    const Index at = k * b.stride;
    for (Index j = 0; j < b.n; ++j)
      b.U_previous[at + j] = b.S[at + j] + b.rho[j] * b.U[at + j] - b.alpha[at + j];
  }
}

template <class T>
[[gnu::always_inline]] inline void relax_of(const CodeBlock<T>& b, T relaxation, bool clip) {
  const T least = clip ? T(0) : -std::numeric_limits<T>::infinity();
  for (Index k = 0; k < b.K; ++k) {
    const Index at = k * b.stride;
    for (Index j = 0; j < b.n; ++j) {
      const T u = b.U[at + j];
      const T alpha =
          b.alpha[at + j] + b.rho[j] * (relaxation * b.H[at + j] + (1 - relaxation) * u);
      const T target = alpha / b.rho[j];
      b.U_previous[at + j] = u;
      b.alpha[at + j] = alpha;
      b.U[at + j] = target > least ? target : least;
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void settle_of(const CodeBlock<T>& b, T* primal, T* dual) {
  for (Index j = 0; j < b.n; ++j) primal[j] = dual[j] = 0;
  for (Index k = 0; k < b.K; ++k) {
    const Index at = k * b.stride;
    for (Index j = 0; j < b.n; ++j) {
      const T u = b.U[at + j];
      b.alpha[at + j] -= b.rho[j] * u;
      const T apart = b.H[at + j] - u;
      const T moved = u - b.U_previous[at + j];
      primal[j] += apart * apart;
      dual[j] += moved * moved;
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void divide_of(const CodeBlock<T>& b, const T* eigenvalues) {
  for (Index k = 0; k < b.K; ++k) {
    const Index at = k * b.stride;
    for (Index j = 0; j < b.n; ++j) b.H[at + j] /= eigenvalues[k] + b.rho[j];
  }
}

}  // namespace

TAMIS_CLONES void right_side(const CodeBlock<float>& block) { right_side_of(block); }
TAMIS_CLONES void right_side(const CodeBlock<double>& block) { right_side_of(block); }

TAMIS_CLONES void relax(const CodeBlock<float>& block, float relaxation, bool clip) {
  relax_of(block, relaxation, clip);
}
TAMIS_CLONES void relax(const CodeBlock<double>& block, double relaxation, bool clip) {
  relax_of(block, relaxation, clip);
}

TAMIS_CLONES void settle(const CodeBlock<float>& block, float* primal, float* dual) {
  settle_of(block, primal, dual);
}
TAMIS_CLONES void settle(const CodeBlock<double>& block, double* primal, double* dual) {
  settle_of(block, primal, dual);
}

TAMIS_CLONES void divide(const CodeBlock<float>& block, const float* eigenvalues) {
  divide_of(block, eigenvalues);
}
TAMIS_CLONES void divide(const CodeBlock<double>& block, const double* eigenvalues) {
  divide_of(block, eigenvalues);
}

}  // namespace tamis::kernels
