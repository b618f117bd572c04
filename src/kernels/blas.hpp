// The few BLAS calls of the hot loops, for float and double. OpenBLAS picks its kernels for the
// machine at run time, which Eigen compiled for a portable binary cannot.
#pragma once

#include "tamis/types.hpp"

namespace tamis::blas {

// C ← alpha·op(A)·op(B) + beta·C, op given by 'N' or 'T'. Columns must be contiguous.
void gemm(char op_a, char op_b, float alpha, ConstMatrixRef<float> A, ConstMatrixRef<float> B,
          float beta, MatrixRef<float> C);
void gemm(char op_a, char op_b, double alpha, ConstMatrixRef<double> A, ConstMatrixRef<double> B,
          double beta, MatrixRef<double> C);

// C ← alpha·A·Aᵀ + beta·C, or with op 'T' alpha·Aᵀ·A + beta·C: the lower triangle of it
void syrk(float alpha, ConstMatrixRef<float> A, float beta, MatrixRef<float> C, char op = 'N');
void syrk(double alpha, ConstMatrixRef<double> A, double beta, MatrixRef<double> C, char op = 'N');

// X ← (LLᵀ)⁻¹X, and X ← X(LLᵀ)⁻¹, for a lower triangular L
void solve_left(ConstMatrixRef<float> L, MatrixRef<float> X);
void solve_left(ConstMatrixRef<double> L, MatrixRef<double> X);
void solve_right(ConstMatrixRef<float> L, MatrixRef<float> X);
void solve_right(ConstMatrixRef<double> L, MatrixRef<double> X);

// While one of these lives, OpenBLAS runs in the calling thread only: its own threads would spin,
// fight with ours and make the bits depend on their number. The setting is OpenBLAS's and global,
// so guards are counted and the last one restores it.
class SingleThreaded {
 public:
  SingleThreaded();
  ~SingleThreaded();
  SingleThreaded(const SingleThreaded&) = delete;
  SingleThreaded& operator=(const SingleThreaded&) = delete;
};

}  // namespace tamis::blas
