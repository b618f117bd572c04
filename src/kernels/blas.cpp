#include "kernels/blas.hpp"

#include <cblas.h>
#include <pthread.h>

#include <mutex>

#include "kernels/blas_core.hpp"

namespace tamis::blas {
namespace {

CBLAS_TRANSPOSE transpose(char op) { return op == 'T' ? CblasTrans : CblasNoTrans; }

blasint as_int(Index i) { return static_cast<blasint>(i); }

// BLAS wants a leading dimension of at least 1 even for empty matrices.
template <class M>
blasint leading(const M& matrix) {
  return as_int(std::max<Index>(1, matrix.outerStride()));
}

template <class T, class Gemm>
void call_gemm(Gemm f, char op_a, char op_b, T alpha, const ConstMatrixRef<T>& A,
               const ConstMatrixRef<T>& B, T beta, MatrixRef<T>& C) {
  const Index inner = op_a == 'T' ? A.rows() : A.cols();
  eigen_assert(inner == (op_b == 'T' ? B.cols() : B.rows()));
  eigen_assert(C.rows() == (op_a == 'T' ? A.cols() : A.rows()));
  eigen_assert(C.cols() == (op_b == 'T' ? B.rows() : B.cols()));
  if (C.size() == 0) return;
  f(CblasColMajor, transpose(op_a), transpose(op_b), as_int(C.rows()), as_int(C.cols()),
    as_int(inner), alpha, A.data(), leading(A), B.data(), leading(B), beta, C.data(), leading(C));
}

template <class T, class Trsm>
void call_solve(Trsm f, CBLAS_SIDE side, const ConstMatrixRef<T>& L, MatrixRef<T>& X) {
  if (X.size() == 0) return;
  const CBLAS_TRANSPOSE first = side == CblasLeft ? CblasNoTrans : CblasTrans;
  const CBLAS_TRANSPOSE second = side == CblasLeft ? CblasTrans : CblasNoTrans;
  for (const CBLAS_TRANSPOSE op : {first, second}) {
    f(CblasColMajor, side, CblasLower, op, CblasNonUnit, as_int(X.rows()), as_int(X.cols()), T(1),
      L.data(), leading(L), X.data(), leading(X));
  }
}

std::mutex guard_mutex;
int guards = 0;
int threads_before = 1;

[[maybe_unused]] const bool loaded = [] {
  stop_idle_threads();
  choose_kernels_for_this_processor();
  // A forked process must not find it locked by a thread that it does not have.
  pthread_atfork([] { guard_mutex.lock(); }, [] { guard_mutex.unlock(); },
                 [] { guard_mutex.unlock(); });
  return true;
}();

}  // namespace

void gemm(char op_a, char op_b, float alpha, ConstMatrixRef<float> A, ConstMatrixRef<float> B,
          float beta, MatrixRef<float> C) {
  call_gemm<float>(cblas_sgemm, op_a, op_b, alpha, A, B, beta, C);
}
void gemm(char op_a, char op_b, double alpha, ConstMatrixRef<double> A, ConstMatrixRef<double> B,
          double beta, MatrixRef<double> C) {
  call_gemm<double>(cblas_dgemm, op_a, op_b, alpha, A, B, beta, C);
}

void syrk(float alpha, ConstMatrixRef<float> A, float beta, MatrixRef<float> C, char op) {
  cblas_ssyrk(CblasColMajor, CblasLower, transpose(op), as_int(C.rows()),
              as_int(op == 'T' ? A.rows() : A.cols()), alpha, A.data(), leading(A), beta, C.data(),
              leading(C));
}
void syrk(double alpha, ConstMatrixRef<double> A, double beta, MatrixRef<double> C, char op) {
  cblas_dsyrk(CblasColMajor, CblasLower, transpose(op), as_int(C.rows()),
              as_int(op == 'T' ? A.rows() : A.cols()), alpha, A.data(), leading(A), beta, C.data(),
              leading(C));
}

void solve_left(ConstMatrixRef<float> L, MatrixRef<float> X) {
  call_solve<float>(cblas_strsm, CblasLeft, L, X);
}
void solve_left(ConstMatrixRef<double> L, MatrixRef<double> X) {
  call_solve<double>(cblas_dtrsm, CblasLeft, L, X);
}
void solve_right(ConstMatrixRef<float> L, MatrixRef<float> X) {
  call_solve<float>(cblas_strsm, CblasRight, L, X);
}
void solve_right(ConstMatrixRef<double> L, MatrixRef<double> X) {
  call_solve<double>(cblas_dtrsm, CblasRight, L, X);
}

SingleThreaded::SingleThreaded() {
  const std::lock_guard lock(guard_mutex);
  if (guards++ == 0) {
    threads_before = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

SingleThreaded::~SingleThreaded() {
  const std::lock_guard lock(guard_mutex);
  if (--guards == 0) openblas_set_num_threads(threads_before);
}

}  // namespace tamis::blas
