// Kernels that go through the entries of one sample, against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/clean.hpp"

namespace tamis {
namespace {

template <class T>
class EntryKernels : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float> ? 1e-6 : 1e-14;

  Vector<T> random(Index count, int seed) const {
    std::srand(unsigned(seed));
    return Vector<T>::Random(count);
  }
  // Every third entry is missing.
  Vector<T> with_gaps(Index count) const {
    Vector<T> v = random(count, 1);
    for (Index i = 1; i < count; i += 3) v[i] = std::numeric_limits<T>::quiet_NaN();
    return v;
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(EntryKernels, Scalars);

// Not multiples of any vector's length, and none at all
constexpr Index counts[] = {0, 1, 7, 15, 16, 17, 33, 361};

TYPED_TEST(EntryKernels, MeasureSumsWhatTheLossIsMadeOf) {
  using T = TypeParam;
  for (const Index n : counts) {
    const Vector<T> v = this->with_gaps(n);
    const Vector<T> p = this->random(n, 2);
    const Vector<T> y = this->random(n, 3);
    long double fit = 0, energy = 0, magnitudes = 0, squares = 0;
    for (Index i = 0; i < n; ++i) {
      const T r = std::isnan(v[i]) ? T(0) : v[i] - y[i];
      const auto rest = static_cast<long double>(y[i]) - static_cast<long double>(p[i]);
      fit += rest * rest;
      energy += static_cast<long double>(y[i]) * y[i];
      magnitudes += std::abs(r);
      squares += static_cast<long double>(r) * r;
    }
    const kernels::Sums sums = kernels::measure(v.data(), p.data(), y.data(), n);
    EXPECT_NEAR(sums.fit, double(fit), 1e-12);
    EXPECT_NEAR(sums.energy, double(energy), 1e-12);
    EXPECT_NEAR(sums.magnitudes, double(magnitudes), 1e-12);
    EXPECT_NEAR(sums.squares, double(squares), 1e-12);
  }
}

TYPED_TEST(EntryKernels, OutlierCopiesSettle) {
  using T = TypeParam;
  const T rho2 = T(0.7), low = T(-0.3), high = T(0.4);
  for (const Index n : counts) {
    const Vector<T> v = this->with_gaps(n);
    const Vector<T> p = this->random(n, 2);
    const Vector<T> r = this->random(n, 3);
    const Vector<T> q_before = this->random(n, 4);
    const Vector<T> beta_before = this->random(n, 5);
    Vector<T> q = q_before, beta = beta_before, y = Vector<T>::Zero(n);
    kernels::settle_outliers(
        kernels::OutlierCopies<T>{v.data(), p.data(), r.data(), q.data(), beta.data(), y.data()}, n,
        rho2, low, high);
    for (Index i = 0; i < n; ++i) {
      if (std::isnan(v[i])) {
        EXPECT_EQ(q[i], q_before[i]);
        EXPECT_EQ(beta[i], beta_before[i]);
        EXPECT_EQ(y[i], p[i]);
        continue;
      }
      const double next = std::clamp(double(r[i]) + double(beta_before[i]) / double(rho2),
                                     double(low), double(high));
      EXPECT_NEAR(q[i], next, this->tolerance);
      EXPECT_NEAR(beta[i], double(beta_before[i]) + double(rho2) * (double(r[i]) - next),
                  this->tolerance);
      EXPECT_EQ(y[i], v[i] - r[i]);
    }
  }
}

}  // namespace
}  // namespace tamis
