// WᵀW is summed up in parts that threads share. How they are cut changes no more than rounding
// errors, so that only this looks at their sizes, which are counted by hand.
#include "encoder/row_steps.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random_data.hpp"

namespace tamis::test {
namespace {

TEST(Gram, PanelsAreHalfOfTheRowsWithinBounds) {
  EXPECT_EQ(half_of_rows(1), 128);
  EXPECT_EQ(half_of_rows(256), 128);
  EXPECT_EQ(half_of_rows(257), 160);
  EXPECT_EQ(half_of_rows(320), 160);
  EXPECT_EQ(half_of_rows(321), 192);
  EXPECT_EQ(half_of_rows(1023), 512);
  EXPECT_EQ(half_of_rows(1 << 20), 512);
}

TEST(Gram, IsTheProductInAtMost64Parts) {
  const auto parts_of = [](Index F) {
    const Matrix<double> W = judge::RandomData(2).uniform_matrix(F, 3);
    std::vector<Matrix<double>> parts;
    const Matrix<double> G = gram(W, Executor(2), parts);
    EXPECT_LE((G - W.transpose() * W).norm(), 1e-12 * double(F)) << F << " rows";
    return Index(parts.size());
  };
  EXPECT_EQ(parts_of(1), 1);
  EXPECT_EQ(parts_of(128), 1);
  EXPECT_EQ(parts_of(129), 2);
  EXPECT_EQ(parts_of(1025), 3);
  EXPECT_EQ(parts_of(64 * 512), 64);
  EXPECT_EQ(parts_of(64 * 512 + 1), 64);  // of 513 rows, in panels of 512 and 1
  EXPECT_EQ(parts_of(64 * 700), 64);
}

TEST(Gram, PartsAreEqualShares) {
  const Index share = 700;
  for (const Index part : {1, 2, 63}) {
    for (const Index row : {part * share - 1, part * share}) {
      Matrix<double> W = Matrix<double>::Zero(64 * share, 1);
      W(row, 0) = 1;
      std::vector<Matrix<double>> parts;
      gram(W, Executor(), parts);
      EXPECT_EQ(parts[std::size_t(part)](0, 0), row < part * share ? 0 : 1) << row;
    }
  }
}

}  // namespace
}  // namespace tamis::test
