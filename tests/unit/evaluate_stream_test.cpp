// Measures added up block by block, against all at once and against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"
#include "tamis/generate/synthetic.hpp"

namespace tamis {
namespace {

template <class T>
class StreamedMeasures : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(StreamedMeasures, Scalars);

template <class Work>
void for_blocks_of_growing_size(Index N, const Work& work) {
  Index size = 1;
  for (Index begin = 0; begin < N; begin += size++) work(begin, std::min(size, N - begin));
}

TYPED_TEST(StreamedMeasures, ErrorsAreTheSameInBlocks) {
  using T = TypeParam;
  const Planted<T> data = synthetic<T>({.F = 31, .K = 3, .N = 200});
  ErrorSum sum;
  for_blocks_of_growing_size(200, [&](Index begin, Index n) {
    sum.add<T>(data.clean.middleCols(begin, n), data.V.middleCols(begin, n));
  });
  EXPECT_EQ(sum.features(), 31);
  EXPECT_EQ(sum.samples(), 200);
  EXPECT_EQ(sum.psnr(), psnr<T>(data.clean, data.V));
  EXPECT_EQ(sum.relative_error(), relative_error<T>(data.clean, data.V));

  const Matrix<double> clean = data.clean.template cast<double>();
  const double squares = (clean - data.V.template cast<double>()).squaredNorm();
  EXPECT_NEAR(sum.psnr(), -10 * std::log10(squares / (31 * 200)), 1e-10);
  EXPECT_NEAR(sum.relative_error(), std::sqrt(squares) / clean.norm(), 1e-10);
}

TYPED_TEST(StreamedMeasures, OutliersAreTheSameInBlocks) {
  using T = TypeParam;
  const Planted<T> data = synthetic<T>({.F = 31, .K = 3, .N = 200, .noise = 0.1});
  const Matrix<T> found = data.V - data.clean;
  OutlierCount count;
  for_blocks_of_growing_size(200, [&](Index begin, Index n) {
    count.add<T>(data.R.middleCols(begin, n), found.middleCols(begin, n), 0.2);
  });
  const OutlierScore whole = outlier_score<T>(data.R, found, 0.2);
  EXPECT_EQ(count.score().precision, whole.precision);
  EXPECT_EQ(count.score().recall, whole.recall);
  EXPECT_EQ(count.score().f, whole.f);
  EXPECT_EQ(count.entries, 31 * 200);
  EXPECT_EQ(count.hits + count.misses, (data.R.array() != T(0)).count());
  EXPECT_GT(count.false_alarms, 0);
  const double harmonic = 2 / (1 / whole.precision + 1 / whole.recall);
  EXPECT_NEAR(whole.f, harmonic, 1e-12);
}

TEST(ErrorSum, RefusesWhatDoesNotFit) {
  ErrorSum sum;
  EXPECT_THROW(sum.psnr(), DataError);
  EXPECT_THROW(sum.relative_error(), DataError);
  const Matrix<float> three = Matrix<float>::Ones(3, 2), four = Matrix<float>::Ones(4, 2);
  EXPECT_THROW(sum.add<float>(three, four), DataError);
  EXPECT_THROW(sum.add<float>(three, three.leftCols(1)), DataError);
  sum.add<float>(three, three);
  EXPECT_EQ(sum.psnr(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum.relative_error(), 0);
  EXPECT_THROW(sum.add<float>(four, four), DataError);
  EXPECT_THROW(OutlierCount{}.score(), DataError);
}

TEST(MatchAtoms, GivesPearsonsCorrelationBesideTheCosine) {
  const Matrix<double> truth{{1, 0}, {0, 2}, {0, 1}, {0, 0}};
  const Matrix<double> learned{{0, 3}, {1, 1}, {1, 1}, {0, 1}};
  const AtomMatch match = match_atoms<double>(truth, learned);
  ASSERT_EQ(match.learned, (std::vector<Index>{1, 0}));
  // (1,0,0,0) and (3,1,1,1): a constant more is nothing to a correlation
  EXPECT_NEAR(match.correlation[0], 1, 1e-12);
  EXPECT_NEAR(match.cosine[0], 3 / std::sqrt(12.), 1e-12);
  // (0,2,1,0) and (0,1,1,0): covariance 3 − 4·¾·½ = 1½, variances 5 − 4·9/16 and 2 − 1
  EXPECT_NEAR(match.correlation[1], 1.5 / std::sqrt(2.75 * 1), 1e-12);
  EXPECT_NEAR(match.mean_correlation(), (match.correlation[0] + match.correlation[1]) / 2, 1e-12);
}

TEST(MatchAtoms, CorrelationLeavesRowsOut) {
  const Matrix<double> truth{{1}, {0}, {2}, {7}}, learned{{2}, {0}, {4}, {-9}};
  EXPECT_LT(match_atoms<double>(truth, learned).correlation[0], 0);
  EXPECT_NEAR(match_atoms<double>(truth, learned, {3}).correlation[0], 1, 1e-12);
}

TEST(MatchAtoms, AConstantAtomCorrelatesWithNothing) {
  const Matrix<double> truth = Matrix<double>::Identity(7, 1);
  EXPECT_EQ(match_atoms<double>(truth, Matrix<double>::Constant(7, 1, 0.3)).correlation[0], 0);
  EXPECT_EQ(match_atoms<double>(truth, Matrix<double>::Zero(7, 1)).correlation[0], 0);
  EXPECT_EQ(match_atoms<double>(truth, Matrix<double>(7, 0)).mean_correlation(), 0);
}

}  // namespace
}  // namespace tamis
