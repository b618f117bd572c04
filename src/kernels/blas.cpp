#include "kernels/blas.hpp"

#include <cblas.h>
#include <pthread.h>

#include <mutex>

#include "kernels/blas_core.hpp"

namespace tamis::blas {
namespace {

// OpenBLAS has a lock for the memory that its calls use: they share this one, which a fork has
// alone.
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP  // a fork does not wait for calls to come
constexpr pthread_rwlock_t nobody_calls = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
constexpr pthread_rwlock_t nobody_calls = PTHREAD_RWLOCK_INITIALIZER;
#endif
pthread_rwlock_t calls = nobody_calls;

class Call {
 public:
  Call() { pthread_rwlock_rdlock(&calls); }
  ~Call() { pthread_rwlock_unlock(&calls); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

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
  const Call call;
  f(CblasColMajor, transpose(op_a), transpose(op_b), as_int(C.rows()), as_int(C.cols()),
    as_int(inner), alpha, A.data(), leading(A), B.data(), leading(B), beta, C.data(), leading(C));
}

template <class T, class Trsm>
void call_solve(Trsm f, CBLAS_SIDE side, const ConstMatrixRef<T>& L, MatrixRef<T>& X) {
  if (X.size() == 0) return;
  const Call call;
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

// A forked process must not find anything locked by a thread that it does not have.
void before_fork() {
  guard_mutex.lock();
  pthread_rwlock_wrlock(&calls);
}
void after_fork() {
  pthread_rwlock_unlock(&calls);
  guard_mutex.unlock();
}
void after_fork_in_child() {
  calls = nobody_calls;  // nor are those there who were waiting to call
  guard_mutex.unlock();
}

[[maybe_unused]] const bool loaded = [] {
  stop_idle_threads();
  choose_kernels_for_this_processor();
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
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
  const Call call;
  cblas_ssyrk(CblasColMajor, CblasLower, transpose(op), as_int(C.rows()),
              as_int(op == 'T' ? A.rows() : A.cols()), alpha, A.data(), leading(A), beta, C.data(),
              leading(C));
}
void syrk(double alpha, ConstMatrixRef<double> A, double beta, MatrixRef<double> C, char op) {
  const Call call;
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
