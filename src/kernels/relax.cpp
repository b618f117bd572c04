#include "kernels/relax.hpp"

#include <limits>

#include "kernels/clones.hpp"

namespace tamis::kernels {
namespace {

// One atom of all samples. The matrices do not overlap, which a compiler has to be told.
template <class T>
struct Column {
  const T* __restrict rho;
  T* __restrict S;
  T* __restrict H;
  T* __restrict U;
  T* __restrict U_previous;
  T* __restrict alpha;
  [[gnu::always_inline]] Column(const CodeBlock<T>& b, Index k)
      : rho(b.rho),
        S(b.S + k * b.stride),
        H(b.H + k * b.stride),
        U(b.U + k * b.stride),
        U_previous(b.U_previous + k * b.stride),
        alpha(b.alpha + k * b.stride) {}
};

template <class T>
[[gnu::always_inline]] inline void right_side_of(const CodeBlock<T>& b) {
  for (Index k = 0; k < b.K; ++k) {
    const Column<T> c(b, k);
    for (Index j = 0; j < b.n; ++j) c.U_previous[j] = c.S[j] + c.rho[j] * c.U[j] - c.alpha[j];
  }
}

template <class T>
[[gnu::always_inline]] inline void relax_of(const CodeBlock<T>& b, T relaxation, bool clip) {
  const T least = clip ? T(0) : -std::numeric_limits<T>::infinity();
  const T settled = clip ? T(1) : T(0);
  for (Index k = 0; k < b.K; ++k) {
    const Column<T> c(b, k);
    for (Index j = 0; j < b.n; ++j) {
      const T u = c.U[j];
      const T alpha = c.alpha[j] + c.rho[j] * (relaxation * c.H[j] + (1 - relaxation) * u);
      const T target = alpha / c.rho[j];
      const T next = target > least ? target : least;
      c.U_previous[j] = u;
      c.U[j] = next;
      c.alpha[j] = alpha - settled * c.rho[j] * next;
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void settle_of(const CodeBlock<T>& b) {
  for (Index k = 0; k < b.K; ++k) {
    const Column<T> c(b, k);
    for (Index j = 0; j < b.n; ++j) c.alpha[j] -= c.rho[j] * c.U[j];
  }
}

template <class T>
[[gnu::always_inline]] inline void measure_steps_of(const CodeBlock<T>& b, T* __restrict primal,
                                                    T* __restrict dual) {
  for (Index j = 0; j < b.n; ++j) primal[j] = dual[j] = 0;
  for (Index k = 0; k < b.K; ++k) {
    const Column<T> c(b, k);
    for (Index j = 0; j < b.n; ++j) {
      const T u = c.U[j];
      const T apart = c.H[j] - u;
      const T moved = u - c.U_previous[j];
      primal[j] += apart * apart;
      dual[j] += moved * moved;
    }
  }
}

template <class T>
[[gnu::always_inline]] inline void divide_of(const CodeBlock<T>& b, const T* eigenvalues) {
  for (Index k = 0; k < b.K; ++k) {
    const Column<T> c(b, k);
    for (Index j = 0; j < b.n; ++j) c.H[j] /= eigenvalues[k] + c.rho[j];
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

TAMIS_CLONES void settle(const CodeBlock<float>& block) { settle_of(block); }
TAMIS_CLONES void settle(const CodeBlock<double>& block) { settle_of(block); }

TAMIS_CLONES void measure_steps(const CodeBlock<float>& block, float* primal, float* dual) {
  measure_steps_of(block, primal, dual);
}
TAMIS_CLONES void measure_steps(const CodeBlock<double>& block, double* primal, double* dual) {
  measure_steps_of(block, primal, dual);
}

TAMIS_CLONES void divide(const CodeBlock<float>& block, const float* eigenvalues) {
  divide_of(block, eigenvalues);
}
TAMIS_CLONES void divide(const CodeBlock<double>& block, const double* eigenvalues) {
  divide_of(block, eigenvalues);
}

}  // namespace tamis::kernels
