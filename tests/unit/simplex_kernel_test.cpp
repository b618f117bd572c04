// The projection onto the simplex, and the step that ends with it, against sorting in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "kernels/simplex.hpp"
#include "support/random_data.hpp"

namespace tamis::test {
namespace {

// Held, Wolfe, Crowder 1974: with the entries sorted, the last k for which w_k exceeds the mean
// excess of the first k
Vector<double> projected(Vector<double> w) {
  Vector<double> sorted = w;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double theta = 0;
  for (Index k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    if (sorted[k] > (sum - 1) / double(k + 1)) theta = (sum - 1) / double(k + 1);
  }
  return (w.array() - theta).max(0.0);
}

template <class T>
class SimplexKernel : public ::testing::Test {
 protected:
  static constexpr double rounding = 100 * double(std::numeric_limits<T>::epsilon());

  static void expect_projection(const Vector<T>& w, const Vector<double>& of) {
    const double size = std::max(1.0, of.cwiseAbs().maxCoeff());
    EXPECT_LE((w.template cast<double>() - projected(of)).cwiseAbs().maxCoeff(), rounding * size);
    EXPECT_GE(w.minCoeff(), T(0));
    EXPECT_NEAR(w.template cast<double>().sum(), 1, rounding * std::sqrt(double(w.size())) * size);
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SimplexKernel, Scalars);

TYPED_TEST(SimplexKernel, ProjectsVectorsOfAllLengthsAndSizes) {
  judge::RandomData random(5);
  for (const Index n : {1, 2, 7, 15, 16, 17, 33, 361, 1024, 1040, 20000}) {
    for (const double size : {1e-6, 0.01, 1.0, 300.0}) {
      for (const double shift : {0.0, -2.0, 5.0}) {
        SCOPED_TRACE(testing::Message() << n << " entries of size " << size << " + " << shift);
        Vector<TypeParam> w =
            (random.normal_vector(n, size).array() + shift).template cast<TypeParam>();
        const Vector<double> before = w.template cast<double>();
        kernels::project_to_simplex(w.data(), n);
        this->expect_projection(w, before);
      }
    }
  }
}

TYPED_TEST(SimplexKernel, KeepsWhatIsThereAndSharesEqually) {
  Vector<TypeParam> w = Vector<TypeParam>::Zero(40);
  w[3] = 1;
  const Vector<TypeParam> corner = w;
  kernels::project_to_simplex(w.data(), w.size());
  EXPECT_EQ(w, corner);
  w.setConstant(-7);
  kernels::project_to_simplex(w.data(), w.size());
  EXPECT_LT((w.array() - TypeParam(1) / 40).abs().maxCoeff(), TypeParam(1e-7));
}

TYPED_TEST(SimplexKernel, AStepAddsThePlaceItLeaves) {
  judge::RandomData random(6);
  for (const Index n : {1, 19, 361}) {
    Vector<TypeParam> w = random.normal_vector(n).template cast<TypeParam>();
    kernels::project_to_simplex(w.data(), n);
    const Vector<TypeParam> direction = random.normal_vector(n).template cast<TypeParam>();
    Vector<TypeParam> sum = Vector<TypeParam>::Ones(n);
    const Vector<double> before = w.template cast<double>();
    kernels::step_on_simplex(w.data(), sum.data(), direction.data(), n, TypeParam(2),
                             TypeParam(0.1));
    this->expect_projection(w, before - 0.1 * direction.template cast<double>());
    EXPECT_LT((sum.template cast<double>() - 2 * before).cwiseAbs().maxCoeff() - 1, 1e-6);
  }
}

}  // namespace
}  // namespace tamis::test
