// Once its buffers have grown, training on mini-batches of the same size asks for no memory.
//
// The allocator of this program is wrapped to count calls while a counter is armed. Sanitizers
// bring their own allocator, there is nothing to wrap then.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

#include "support/kit.hpp"
#include "support/scene.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TAMIS_COUNTS_ALLOCATIONS
#endif

namespace {

std::atomic<bool> armed = false;
std::atomic<long> allocations = 0;

[[maybe_unused]] void count() {
  if (armed.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#ifdef TAMIS_COUNTS_ALLOCATIONS

extern "C" {

// glibc's own functions under the names it exports them by for this purpose
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) noexcept {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  count();
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) noexcept { __libc_free(memory); }

}  // extern "C"

#endif

namespace tamis::test {
namespace {

class CountingScope {
 public:
  CountingScope() {
    allocations = 0;
    armed = true;
  }
  ~CountingScope() { armed = false; }
  CountingScope(const CountingScope&) = delete;
  CountingScope& operator=(const CountingScope&) = delete;
};

template <class T>
class Allocation : public ::testing::Test {
 protected:
  void SetUp() override {
#ifndef TAMIS_COUNTS_ALLOCATIONS
    GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  }

  // The fewest allocations of several rounds: which thread takes a block is a matter of luck, so
  // its scratch memory, and what the scheduler itself needs, may still grow in one round. An
  // allocation per mini-batch is in all of them.
  static long allocations_per_round(Trainer<T>& trainer, const Matrix<T>& V) {
    constexpr int rounds = 20;
    constexpr int batches = 10;
    long fewest = std::numeric_limits<long>::max();
    for (int round = 0; round < rounds && fewest > 0; ++round) {
      const CountingScope scope;
      for (int batch = 0; batch < batches; ++batch) trainer.partial_fit(V);
      fewest = std::min(fewest, allocations.load());
    }
    return fewest;
  }

  static Matrix<T> data(Index features = 600) {
    return make_scene(
               {.features = features, .rank = 4, .samples = 64, .outlier_share = 0.1, .seed = 91})
        .V.template cast<T>();
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Allocation, Scalars);

TYPED_TEST(Allocation, TheCounterWorks) {
  const CountingScope scope;
  const Matrix<TypeParam> some(10, 10);
  EXPECT_GE(allocations.load(), 1) << some.size();
}

TYPED_TEST(Allocation, NoneInPartialFit) {
  const auto V = this->data();
  for (const Algorithm& algorithm : online_algorithms()) {
    for (const Index threads : {1, 2}) {
      SCOPED_TRACE(std::string(name_of(algorithm)) + ", threads " + std::to_string(threads));
      Settings settings = plain_settings(5, algorithm);
      settings.threads = threads;
      Trainer<TypeParam> trainer(settings);
      for (int batch = 0; batch < 3; ++batch) trainer.partial_fit(V);
      EXPECT_EQ(this->allocations_per_round(trainer, V), 0);
    }
  }
}

// Also where samples are as large as frames, and where one begins with the codes of another.
TYPED_TEST(Allocation, NoneForFrames) {
  for (const Index features : {Index(600), Index(20000)}) {
    const Matrix<TypeParam> V = this->data(features).leftCols(features > 600 ? 8 : 64);
    for (const Fast& fast : {Fast{}, Fast{.warm_start = true}}) {
      for (const Index threads : {1, 2}) {
        SCOPED_TRACE(std::to_string(features) + " features, threads " + std::to_string(threads));
        Settings settings = plain_settings(5, fast);
        settings.threads = threads;
        Trainer<TypeParam> trainer(settings);
        for (int batch = 0; batch < 3; ++batch) trainer.partial_fit(V);
        EXPECT_EQ(this->allocations_per_round(trainer, V), 0);
      }
    }
  }
}

TYPED_TEST(Allocation, NoneWithTheDefaultsOfFast) {
  const auto V = this->data();
  for (const Index threads : {1, 2}) {
    SCOPED_TRACE(threads);
    Settings settings;
    settings.rank = 5;
    settings.threads = threads;
    Trainer<TypeParam> trainer(settings);
    for (int batch = 0; batch < 3; ++batch) trainer.partial_fit(V);
    EXPECT_EQ(this->allocations_per_round(trainer, V), 0);
  }
}

}  // namespace
}  // namespace tamis::test
