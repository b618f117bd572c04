// What a mini-batch adds to A and B, against sums in double: also of more samples than are added up
// in one go, in shapes that divide evenly into nothing.
#include "statistics.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace tamis {
namespace {

constexpr Index F = 1031, K = 5;

template <class T>
class Statistics : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;

  Statistics() {
    model_.A.setZero(K, K);
    model_.B.setZero(F, K);
    A_.setZero(K, K);
    B_.setZero(F, K);
  }

  void add(Index n, double beta) {
    Batch<T> batch;
    const Matrix<T> V = Matrix<T>::Random(F, n);
    batch.set_samples(V);
    batch.resize_results(K);
    batch.H = Matrix<T>::Random(K, n);
    batch.Y = Matrix<T>::Random(F, n);
    batch.weight = Vector<double>::Random(n).array() + 1;
    batch.loss.setZero(n);
    batch.constant.setZero(n);
    Increment<T> sums;
    sums.accumulate(batch, executor_);
    sums.absorb_into(model_, batch, beta, executor_);

    const Matrix<double> H = batch.H.template cast<double>();
    const Matrix<double> HS = H * batch.weight.asDiagonal();
    A_ = beta * A_ + HS * H.transpose();
    B_ = beta * B_ + batch.Y.template cast<double>() * HS.transpose();
    weight_ = beta * weight_ + batch.weight.sum();
  }

  void expect_means() const {
    EXPECT_NEAR(model_.weight, weight_, 1e-12 * weight_);
    EXPECT_LT((model_.A - A_ / weight_).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LT((model_.B - B_ / weight_).cwiseAbs().maxCoeff(), tolerance);
  }

 private:
  Executor executor_{2};
  Model<T> model_;
  Matrix<double> A_, B_;
  double weight_ = 0;
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Statistics, Scalars);

TYPED_TEST(Statistics, AreWeightedMeansOfAllMiniBatches) {
  for (const Index n : {Index(1), Index(63), Index(512), Index(513), Index(1300)}) {
    SCOPED_TRACE(n);
    this->add(n, 0.75);
    this->expect_means();
  }
}

}  // namespace
}  // namespace tamis
