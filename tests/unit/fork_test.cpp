// A forked process has none of the threads that its parent had: it must not wait for them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "kernels/blas.hpp"
#include "parallel.hpp"
#include "support/kit.hpp"
#include "support/scene.hpp"

namespace tamis::test {
namespace {

// The sanitizers' own locks do not survive a fork while others hold them.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

Matrix<float> data() {
  return make_scene({.features = 40, .rank = 3, .samples = 300, .seed = 5}).V.cast<float>();
}

Matrix<float> learned() {
  Settings settings;
  settings.rank = 3;
  settings.batch_size = 16;
  settings.threads = 2;
  return Trainer<float>(settings).fit(data()).model.W;
}

bool does_all_blocks(const Executor& executor) {
  std::vector<std::atomic<int>> done(100);
  executor.for_each_block(100, 1, [&](Index i, Index, int) { ++done[std::size_t(i)]; });
  return std::ranges::all_of(done, [](const auto& times) { return times == 1; });
}

// Whether a forked process does the work; if it hangs, a signal ends it.
template <class Work>
bool child_does(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(work() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Fork, TheChildDoesEverythingItself) {
  if (sanitized) GTEST_SKIP();
  const Matrix<float> W = learned();
  const Executor of_parent(2);
  ASSERT_TRUE(does_all_blocks(of_parent));
  const auto work = [&] {
    return does_all_blocks(of_parent) && Executor(2).slots() == 1 && learned() == W;
  };
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(child_does(work));
  EXPECT_TRUE(does_all_blocks(of_parent));
  EXPECT_TRUE(learned() == W);
}

// Forks while others do it all the time, and the child once.
template <class Work>
void expect_forks_work_during(int forks, const Work& work) {
  if (sanitized) GTEST_SKIP();
  std::atomic<bool> stop = false;
  std::vector<std::jthread> others;
  others.reserve(3);
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      while (!stop) work();
    });
  }
  for (int i = 0; i < forks; ++i) {
    if (!child_does(work)) {
      ADD_FAILURE() << "fork " << i;
      break;
    }
  }
  stop = true;
}

TEST(Fork, WhileOtherThreadsLearn) {
  expect_forks_work_during(20, [] { return learned().allFinite(); });
}

// The library behind has locks of its own: small products, so that one is held most of the time.
TEST(Fork, WhileOtherThreadsMultiply) {
  expect_forks_work_during(200, [] {
    const Matrix<float> X = Matrix<float>::Ones(2, 2);
    Matrix<float> product = Matrix<float>::Zero(2, 2);
    for (int i = 0; i < 1000; ++i) blas::syrk(1.0F, X, 0.0F, product);
    return product(1, 0) == 2.0F;
  });
}

}  // namespace
}  // namespace tamis::test
