// The elementwise steps of the fast encoder on the codes of a block of samples, for which each
// sample has its own ρ. Matrices are n×K (a column is an atom), of the first `n` samples.
#pragma once

#include "kernels/panel.hpp"

namespace tamis::kernels {

template <class T>
struct CodeBlock {
  Index n, K, stride;
  const T* rho;  // n
  T *S, *H, *U, *U_previous, *alpha;
};

// U_previous ← S + ρU − α: nobody needs it until relax
void right_side(const CodeBlock<float>& block);
void right_side(const CodeBlock<double>& block);

// U_previous ← U;  α ← α + ρ(relaxation·H + (1 − relaxation)·U);  U ← α/ρ; where the only prox is
// P₊, also U ← P₊(U);  α ← α − ρU
void relax(const CodeBlock<float>& block, float relaxation, bool clip);
void relax(const CodeBlock<double>& block, double relaxation, bool clip);

// α ← α − ρU, after another prox
void settle(const CodeBlock<float>& block);
void settle(const CodeBlock<double>& block);

// primal ← ‖h − u‖², dual ← ‖u − u_previous‖² of each sample
void measure_steps(const CodeBlock<float>& block, float* primal, float* dual);
void measure_steps(const CodeBlock<double>& block, double* primal, double* dual);

// H ← H/(λ_k + ρ_j), the solve in the eigenbasis of G
void divide(const CodeBlock<float>& block, const float* eigenvalues);
void divide(const CodeBlock<double>& block, const double* eigenvalues);

}  // namespace tamis::kernels
