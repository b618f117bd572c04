// Equations that rounding errors make singular are solved with a small ridge, and it is told.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/dense.hpp"
#include "support/kit.hpp"
#include "support/random_data.hpp"

namespace tamis::test {
namespace {

template <class T>
class SafeCholesky : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SafeCholesky, Precisions);

template <class T>
Matrix<T> product_of(const Matrix<T>& L) {
  const Matrix<T> lower = L.template triangularView<Eigen::Lower>();
  return lower * lower.transpose();
}

TYPED_TEST(SafeCholesky, LeavesADefiniteMatrixAlone) {
  using T = TypeParam;
  const Matrix<double> X = judge::RandomData(3).uniform_matrix(6, 9);
  const Matrix<T> A = (X * X.transpose()).cast<T>();
  Matrix<T> changed = A, L;
  EXPECT_FALSE(safe_cholesky(changed, L));
  EXPECT_TRUE(same_bits(changed, A));
  EXPECT_LT((product_of<T>(L) - A).norm(), 16 * std::numeric_limits<T>::epsilon() * A.norm());
}

// Each row is as well known as its own diagonal, however small that is.
TYPED_TEST(SafeCholesky, DoesNotMistakeUnevenForSingular) {
  using T = TypeParam;
  Matrix<T> A(2, 2), L;
  A << T(1e18), T(0.5), T(0.5), T(1e-18);
  EXPECT_FALSE(safe_cholesky(A, L));
  EXPECT_NEAR(double(product_of<T>(L)(1, 1)), 1e-18, 1e-24);
}

TYPED_TEST(SafeCholesky, MendsASingularMatrix) {
  using T = TypeParam;
  for (const double size : {1e-12, 1.0, 1e12}) {
    const Matrix<T> A = Matrix<T>::Constant(7, 7, T(size));
    Matrix<T> mended = A, L;
    EXPECT_TRUE(safe_cholesky(mended, L));
    EXPECT_TRUE(L.allFinite());
    EXPECT_LT((product_of<T>(L) - A).norm(), 1000 * std::numeric_limits<T>::epsilon() * A.norm());
  }
}

TYPED_TEST(SafeCholesky, AnEmptyRowDecidesNothing) {
  using T = TypeParam;
  Matrix<T> A = Matrix<T>::Zero(3, 3), L;
  A(0, 0) = A(2, 2) = T(2);
  EXPECT_FALSE(safe_cholesky(A, L));
  EXPECT_TRUE(L.allFinite());
  Matrix<T> nothing = Matrix<T>::Zero(2, 2);
  EXPECT_FALSE(safe_cholesky(nothing, L));
  EXPECT_TRUE(L.allFinite());
}

TYPED_TEST(SafeCholesky, EndsAlsoWithWhatCannotBeMended) {
  using T = TypeParam;
  Matrix<T> L;
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    Matrix<T> A = Matrix<T>::Identity(3, 3);
    A(1, 1) = bad;
    EXPECT_TRUE(safe_cholesky(A, L));
  }
}

// Codes of 1e4 make HHᵀ so large beside ρ₃ = 1 that single precision does not see it any more.
template <class T>
FitResult<T> fit_equal_samples(const Algorithm& algorithm) {
  Settings settings = plain_settings(4, algorithm);
  settings.lambda = LambdaValue{1e9};
  return Trainer<T>(settings).fit(Matrix<T>::Constant(9, 32, T(1e5)));
}

TEST(Regularized, IsCountedAndTold) {
  for (const Algorithm& algorithm : {Algorithm(Oadmm{}), batch_algorithms().back()}) {
    SCOPED_TRACE(name_of(algorithm));
    const auto rough = fit_equal_samples<float>(algorithm);
    EXPECT_GT(rough.info.regularized_batches, 0);
    EXPECT_LE(rough.info.regularized_batches, rough.info.batches);
    EXPECT_NE(rough.message.find("regularized"), std::string::npos) << rough.message;
    EXPECT_TRUE(rough.model.W.allFinite());
    const auto fine = fit_equal_samples<double>(algorithm);
    EXPECT_EQ(fine.info.regularized_batches, 0);
    EXPECT_EQ(fine.message.find("regularized"), std::string::npos) << fine.message;
  }
}

// Equal atoms, so large that WᵀW + ρ₁I is singular in single precision
TEST(Regularized, EncodingTellsAndStaysFinite) {
  judge::RandomData random(4);
  const Matrix<double> W = (1e5 * random.uniform_matrix(9, 1)).replicate(1, 4);
  const Matrix<double> V = random.uniform_matrix(9, 5);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Algorithm& algorithm : {Algorithm(Oadmm{}), Algorithm(Onmf{})}) {
    SCOPED_TRACE(name_of(algorithm));
    const Settings settings = plain_settings(4, algorithm);
    const auto found = solve_codes<float>(W.cast<float>(), V.cast<float>(), infinity, settings);
    EXPECT_TRUE(found.regularized);
    EXPECT_TRUE(found.H.allFinite());
    EXPECT_FALSE(solve_codes<float>(random.uniform_matrix(9, 4).cast<float>(), V.cast<float>(),
                                    infinity, settings)
                     .regularized);
  }
}

// One atom alone does as well as all of them.
TEST(Regularized, TheRidgeIsTooSmallToMatter) {
  judge::RandomData random(5);
  const Matrix<double> w = random.uniform_matrix(9, 1);
  const Matrix<double> V = random.uniform_matrix(9, 5);
  const double infinity = std::numeric_limits<double>::infinity();
  const Matrix<float> W = w.replicate(1, 4).cast<float>();
  const auto found = solve_codes<float>(W, V.cast<float>(), infinity, plain_settings(4, Onmf{}));
  EXPECT_TRUE(found.regularized);
  for (Index j = 0; j < V.cols(); ++j) {
    const double code = w.col(0).dot(V.col(j)) / w.squaredNorm();
    EXPECT_NEAR(found.loss[j], (V.col(j) - w * code).squaredNorm() / 2, 1e-5);
    EXPECT_NEAR(double(found.H.col(j).sum()), code, 1e-4);
  }
}

}  // namespace
}  // namespace tamis::test
