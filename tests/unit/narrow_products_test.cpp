#include "encoder/narrow_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tamis::test {
namespace {

template <class T>
class NarrowProducts : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(NarrowProducts, Precisions);

// Also so many rows that they are several panels
TYPED_TEST(NarrowProducts, EqualPlainOnes) {
  using T = TypeParam;
  const T close = std::sqrt(std::numeric_limits<T>::epsilon()) / 10;
  Buffer<T> memory;
  for (const Index F : {1, 19, 361, 2500})
    for (const Index K : {1, 5, 49})
      for (const Index n : {0, 1, 6, 70}) {
        const Matrix<T> W = Matrix<T>::Random(F, K), H = Matrix<T>::Random(K, n);
        const Matrix<T> Y = Matrix<T>::Random(F, n);
        Matrix<T> P = Matrix<T>::Constant(F, n, 7);
        narrow_product<T>(W, H, memory, P);
        EXPECT_LE((P - W * H).norm(), close * (1 + P.norm())) << F << ' ' << K << ' ' << n;
        const Matrix<T> S = narrow_back_product<T>(W, Y, memory).transpose();
        EXPECT_LE((S - W.transpose() * Y).norm(), close * (1 + S.norm()))
            << F << ' ' << K << ' ' << n;
      }
}

}  // namespace
}  // namespace tamis::test
