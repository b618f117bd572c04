// OpenBLAS chooses its kernels by the processor's model number. One that is newer than the library
// gets the oldest kernels (SSE3), several times slower than what the processor can do. Where that
// happened, choose by what the processor supports instead. A user's own OPENBLAS_CORETYPE is
// respected.
#include "kernels/blas_core.hpp"

#include <cstdlib>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)

extern "C" {
// Weak: another BLAS, or an OpenBLAS built for one processor only, does not have them.
[[gnu::weak]] char* openblas_get_corename();
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
[[gnu::weak]] int blas_thread_shutdown_();
}

namespace {

const char* better_core() {
  if (openblas_get_corename == nullptr || gotoblas_dynamic_init == nullptr ||
      gotoblas_dynamic_quit == nullptr) {
    return nullptr;
  }
  if (std::string_view(openblas_get_corename()) != "Prescott") return nullptr;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : nullptr;
}

}  // namespace

// They spin for a while before they sleep, on a core that we could use. OpenBLAS starts them again
// for whoever wants its threads.
void tamis::blas::stop_idle_threads() {
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

bool tamis::blas::choose_kernels_for_this_processor() {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) != nullptr) return false;
  const char* core = better_core();
  if (core == nullptr) return false;
  ::setenv(variable, core, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(variable);
  return true;
}

#else

void tamis::blas::stop_idle_threads() {}
bool tamis::blas::choose_kernels_for_this_processor() { return false; }

#endif
