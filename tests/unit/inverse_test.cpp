// The inverse of a small definite matrix: judged by the product with what it was made from.
#include "kernels/inverse.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/random_data.hpp"

namespace tamis::test {
namespace {

template <class T>
class Inverse : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Inverse, Scalars);

TYPED_TEST(Inverse, TimesTheMatrixIsTheIdentity) {
  using T = TypeParam;
  std::vector<T> memory;
  for (const Index K : {1, 2, 5, 15, 16, 17, 33, 49, 128, 3}) {
    const Matrix<double> W = judge::RandomData(std::uint64_t(K)).uniform_matrix(2 * K, K);
    Matrix<double> G = W.transpose() * W;
    G.diagonal().array() += 0.1 * G.trace() / double(K);
    const Matrix<T> rounded = G.cast<T>();
    Matrix<T> inverse = rounded;
    kernels::invert_definite(inverse, memory);
    const Matrix<double> product =
        rounded.template cast<double>() * inverse.template cast<double>();
    const double condition = 10 * double(K) + 1;  // at most, by the ridge
    EXPECT_LE((product - Matrix<double>::Identity(K, K)).cwiseAbs().maxCoeff(),
              condition * double(std::numeric_limits<T>::epsilon()))
        << K;
  }
}

}  // namespace
}  // namespace tamis::test
