// The fused kernels against plain loops in double, over sizes that are multiples of nothing.
#include "kernels/targets.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/panel.hpp"
#include "kernels/range.hpp"
#include "noise.hpp"
#include "support/random_data.hpp"

namespace tamis::test {
namespace {

using kernels::Panel;

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T missing = std::numeric_limits<T>::quiet_NaN();

Matrix<double> random_matrix(Index rows, Index cols, std::uint64_t seed) {
  return judge::RandomData(seed).uniform_matrix(rows, cols);
}

struct Size {
  Index F, K, n;
};

// Around the widths of vectors and tiles, single rows, atoms and columns, and none at all
std::vector<Size> sizes() {
  std::vector<Size> all;
  for (const Index F : {1, 7, 16, 33, 95, 361})
    for (const Index K : {1, 2, 5, 6, 13, 49})
      for (const Index n : {0, 1, 3, 4, 8, 11, 12, 27}) all.push_back({F, K, n});
  all.push_back({0, 3, 2});
  all.push_back({5, 0, 2});
  return all;
}

// A matrix inside a larger one, whose surroundings must not change
template <class T>
class Framed {
 public:
  static constexpr T mark = T(-77);
  Framed(Index rows, Index cols) : whole_(rows + 5, cols + 2), rows_(rows), cols_(cols) {
    whole_.setConstant(mark);
  }
  Panel<T> panel() { return {&whole_(2, 1), whole_.rows(), rows_, cols_}; }
  Matrix<double> inside() const { return whole_.block(2, 1, rows_, cols_).template cast<double>(); }
  bool frame_is_intact() const {
    Matrix<T> frame = whole_;
    frame.block(2, 1, rows_, cols_).setConstant(mark);
    return (frame.array() == mark).all();
  }

 private:
  Matrix<T> whole_;
  Index rows_, cols_;
};

// A type of numbers and an instruction set to compute with
template <class T, std::int64_t set>
struct On {
  using Scalar = T;
  static constexpr std::int64_t instructions = set;
};

template <class Where>
class Kernels : public ::testing::Test {
 protected:
  using Scalar = typename Where::Scalar;

  void SetUp() override {
    if ((hwy::SupportedTargets() & Where::instructions) == 0)
      GTEST_SKIP() << "this processor has no " << hwy::TargetName(Where::instructions);
    hwy::SetSupportedTargetsForTest(Where::instructions);
  }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }

  static constexpr double tolerance = std::is_same_v<Scalar, float> ? 2e-5 : 1e-13;

  static Matrix<Scalar> random(Index rows, Index cols, std::uint64_t seed) {
    return random_matrix(rows, cols, seed).template cast<Scalar>();
  }
  static void expect_near(const Matrix<double>& actual, const Matrix<double>& expected, Size s) {
    if (expected.size() == 0) return;
    EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(),
              tolerance * (1 + expected.cwiseAbs().maxCoeff()))
        << "F " << s.F << " K " << s.K << " n " << s.n;
  }
};

using Everywhere =
    ::testing::Types<On<float, HWY_SCALAR>, On<float, HWY_SSSE3>, On<float, HWY_AVX2>,
                     On<float, HWY_AVX3>, On<double, HWY_SCALAR>, On<double, HWY_SSSE3>,
                     On<double, HWY_AVX2>, On<double, HWY_AVX3>>;
TYPED_TEST_SUITE(Kernels, Everywhere);

TYPED_TEST(Kernels, Product) {
  using T = typename TypeParam::Scalar;
  for (const Size s : sizes()) {
    const Matrix<T> W = this->random(s.F, s.K, 1);
    const Matrix<T> X_transposed = this->random(s.n, s.K, 2);
    Framed<T> P(s.F, s.n);
    kernels::product<T>(Panel<const T>(W), Panel<const T>(X_transposed), P.panel());
    const Matrix<double> expected =
        W.template cast<double>() * X_transposed.template cast<double>().transpose();
    this->expect_near(P.inside(), expected, s);
    EXPECT_TRUE(P.frame_is_intact());
  }
}

TYPED_TEST(Kernels, BackProductReplacesOrAdds) {
  using T = typename TypeParam::Scalar;
  for (const Size s : sizes()) {
    const Matrix<T> W = this->random(s.F, s.K, 1);
    const Matrix<T> Y = this->random(s.F, s.n, 2);
    Framed<T> S(s.n, s.K);
    kernels::back_product<T>(Panel<const T>(W), Panel<const T>(Y), false, S.panel());
    const Matrix<double> once = Y.template cast<double>().transpose() * W.template cast<double>();
    this->expect_near(S.inside(), once, s);
    kernels::back_product<T>(Panel<const T>(W), Panel<const T>(Y), true, S.panel());
    this->expect_near(S.inside(), 2 * once, s);
    EXPECT_TRUE(S.frame_is_intact());
  }
}

TYPED_TEST(Kernels, GramIsTheLowerTriangle) {
  using T = typename TypeParam::Scalar;
  for (Size s : sizes()) {
    s.n = s.K;
    const Matrix<T> W = this->random(s.F, s.K, 1);
    Framed<T> G(s.K, s.K);
    const Matrix<double> product =
        W.template cast<double>().transpose() * W.template cast<double>();
    for (const int times : {1, 2}) {
      kernels::gram<T>(Panel<const T>(W), times == 2, G.panel());
      Matrix<double> found = G.inside();
      found.triangularView<Eigen::StrictlyUpper>() = found.transpose();
      this->expect_near(found, times * product, s);
    }
    EXPECT_TRUE(G.frame_is_intact());
  }
}

// v − clip(S_λ(v − p)·scale), Σ and counts as their definitions say
template <class T>
struct Expected {
  Matrix<double> Y;
  std::vector<kernels::Sums> sums;
  double counted = 0;
};

template <class T>
Expected<T> cleaned(const Matrix<double>& P, const Matrix<T>& V, const std::vector<Index>& columns,
                    const kernels::Shrinkage<T>& shrinkage) {
  Expected<T> expected{Matrix<double>(P.rows(), P.cols()),
                       std::vector<kernels::Sums>(columns.size())};
  for (Index j = 0; j < P.cols(); ++j) {
    auto& sums = expected.sums[std::size_t(j)];
    for (Index i = 0; i < P.rows(); ++i) {
      const auto v = double(V(i, columns[std::size_t(j)]));
      const double p = P(i, j);
      const double e = v - p;
      double r = std::max(std::abs(e) - double(shrinkage.threshold), 0.0) * double(shrinkage.scale);
      r = std::clamp(std::copysign(r, e), double(shrinkage.low), double(shrinkage.high));
      if (std::isnan(v)) r = 0;
      const double y = std::isnan(v) ? p : v - r;
      expected.Y(i, j) = y;
      sums.add({(y - p) * (y - p), y * y, std::abs(r), r * r});
      expected.counted += std::isnan(v) ? 0 : 1;
    }
  }
  return expected;
}

template <class T>
std::vector<kernels::Shrinkage<T>> shrinkages() {
  return {{T(0.2), T(1), -infinity<T>, infinity<T>},
          {T(0.1), T(0.7), T(-0.3), T(0.25)},
          {T(0.1), T(1), T(0), T(0.4)},
          {infinity<T>, T(1), T(-1), T(1)},
          {T(0), T(1), -infinity<T>, infinity<T>}};
}

TYPED_TEST(Kernels, CleanedAndMeasuredProductOfNumbers) {
  using T = typename TypeParam::Scalar;
  for (const Size s : sizes()) {
    const Matrix<T> W = this->random(s.F, s.K, 1);
    const Matrix<T> X = this->random(s.n, s.K, 2) / T(s.K + 1);
    Matrix<T> V = this->random(s.F, s.n + 3, 3);
    if (V.size() > 4) V(V.rows() / 2, V.cols() / 2) = missing<T>;
    std::vector<Index> columns(std::size_t(s.n));  // in another order, some left out
    for (Index j = 0; j < s.n; ++j) columns[std::size_t(j)] = s.n + 2 - j;
    const Matrix<double> P = W.template cast<double>() * X.template cast<double>().transpose();
    for (const auto& shrinkage : shrinkages<T>()) {
      const auto expected = cleaned<T>(P, V, columns, shrinkage);
      const kernels::Samples<T> samples{Panel<const T>(V), {}, 1};
      Framed<T> Y(s.F, s.n);
      kernels::cleaned_product<T>(Panel<const T>(W), Panel<const T>(X), samples, columns.data(),
                                  shrinkage, Y.panel());
      this->expect_near(Y.inside(), expected.Y, s);
      EXPECT_TRUE(Y.frame_is_intact());

      Framed<T> measured(s.F, s.n);
      std::vector<kernels::Sums> sums(std::size_t(s.n));
      ResidualHistogram histogram;
      kernels::measured_product<T>(Panel<const T>(W), Panel<const T>(X), samples, columns.data(),
                                   shrinkage, measured.panel(), sums.data(), histogram.counts());
      EXPECT_EQ(measured.inside(), Y.inside());
      for (std::size_t j = 0; j < sums.size(); ++j) {
        const double scale =
            this->tolerance * (1 + expected.sums[j].energy + expected.sums[j].magnitudes);
        EXPECT_NEAR(sums[j].fit, expected.sums[j].fit, scale);
        EXPECT_NEAR(sums[j].energy, expected.sums[j].energy, scale);
        EXPECT_NEAR(sums[j].magnitudes, expected.sums[j].magnitudes, scale);
        EXPECT_NEAR(sums[j].squares, expected.sums[j].squares, scale);
      }
      std::vector<double> counts(ResidualHistogram::bins, 0.0);
      histogram.add_to(counts);
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), expected.counted);
    }
  }
}

TYPED_TEST(Kernels, BytesAreTheNumbersTheyStandFor) {
  using T = typename TypeParam::Scalar;
  for (const Size s : sizes()) {
    if (s.n == 0) continue;
    const Matrix<T> W = this->random(s.F, s.K, 1);
    const Matrix<T> X = this->random(s.n, s.K, 2) / T(s.K + 1);
    Matrix<std::uint8_t> bytes(s.F, s.n);
    for (Index i = 0; i < bytes.size(); ++i) bytes.data()[i] = std::uint8_t(i * 37 % 256);
    const Matrix<T> V = bytes.template cast<T>() / T(255);
    std::vector<Index> columns(std::size_t(s.n));
    std::iota(columns.rbegin(), columns.rend(), Index(0));
    const kernels::Shrinkage<T> shrinkage{T(0.1), T(1), T(-0.5), T(0.5)};
    Framed<T> from_bytes(s.F, s.n);
    Framed<T> from_numbers(s.F, s.n);
    kernels::cleaned_product<T>(Panel<const T>(W), Panel<const T>(X),
                                {{}, Panel<const std::uint8_t>(bytes), T(255)}, columns.data(),
                                shrinkage, from_bytes.panel());
    kernels::cleaned_product<T>(Panel<const T>(W), Panel<const T>(X), {Panel<const T>(V), {}, 1},
                                columns.data(), shrinkage, from_numbers.panel());
    // Divided with the same rounding, so that a file of bytes and one of numbers are the same data.
    EXPECT_EQ(from_bytes.inside(), from_numbers.inside());
    EXPECT_TRUE(from_bytes.frame_is_intact());
  }
}

TYPED_TEST(Kernels, EveryByteIsDividedExactly) {
  using T = typename TypeParam::Scalar;
  Matrix<std::uint8_t> bytes(256, 1);
  std::iota(bytes.data(), bytes.data() + 256, std::uint8_t(0));
  const Index column = 0;
  for (const double unit : {1.0, 7.0, 100.0, 255.0}) {
    Matrix<T> Y(256, 1);
    kernels::cleaned_product<T>(Panel<const T>(nullptr, 256, 256, 0),
                                Panel<const T>(nullptr, 1, 1, 0),
                                {{}, Panel<const std::uint8_t>(bytes), T(unit)}, &column,
                                {infinity<T>, 1, -infinity<T>, infinity<T>}, Panel<T>(Y));
    for (Index i = 0; i < 256; ++i) EXPECT_EQ(Y(i, 0), T(i) / T(unit)) << i << "/" << unit;
  }
}

TYPED_TEST(Kernels, AColumnDoesNotDependOnItsNeighbours) {
  using T = typename TypeParam::Scalar;
  const Matrix<T> W = this->random(101, 13, 1);
  const Matrix<T> X = this->random(29, 13, 2);
  Matrix<T> all(101, 29);
  kernels::product<T>(Panel<const T>(W), Panel<const T>(X), Panel<T>(all));
  Matrix<T> S(29, 13);
  kernels::back_product<T>(Panel<const T>(W), Panel<const T>(all), false, Panel<T>(S));
  for (Index j = 0; j < 29; ++j) {
    const Matrix<T> x = X.row(j);
    Matrix<T> alone(101, 1);
    kernels::product<T>(Panel<const T>(W), Panel<const T>(x), Panel<T>(alone));
    EXPECT_EQ(Vector<T>(alone), Vector<T>(all.col(j)));
    Matrix<T> s(1, 13);
    kernels::back_product<T>(Panel<const T>(W), Panel<const T>(alone), false, Panel<T>(s));
    EXPECT_EQ(s, Matrix<T>(S.row(j)));
  }
}

TYPED_TEST(Kernels, AbsorbedProduct) {
  using T = typename TypeParam::Scalar;
  for (const Size s : sizes()) {
    const Matrix<T> Y = this->random(s.F, s.n, 1);
    const Matrix<T> H = this->random(s.K, s.n, 2);
    Framed<double> B(s.F, s.K);
    Panel<double> panel = B.panel();
    for (Index k = 0; k < s.K; ++k)
      for (Index i = 0; i < s.F; ++i) panel.col(k)[i] = double(i) - double(k);
    const Matrix<double> expected =
        0.25 * B.inside() + 3.0 * Y.template cast<double>() * H.template cast<double>().transpose();
    kernels::absorb_product<T>(Panel<const T>(Y), Panel<const T>(H), 0.25, 3.0, panel);
    this->expect_near(B.inside(), expected, s);
    EXPECT_TRUE(B.frame_is_intact());
  }
}

TYPED_TEST(Kernels, SweepsLikeOneAtomAfterAnother) {
  using T = typename TypeParam::Scalar;
  for (const Size s : sizes()) {
    if (s.n > 1 || s.K == 0) continue;
    const T least = s.n == 0 ? -infinity<T> : T(0);  // atoms of any sign, or P₊
    const Matrix<T> codes = this->random(s.K, s.K + 4, 2);
    const Matrix<T> A = codes * codes.transpose();
    const Matrix<double> B = random_matrix(s.F, s.K, 3) * double(s.K);
    Vector<T> inverse = A.diagonal().cwiseInverse();
    if (s.K > 3) inverse[2] = 0;  // left alone
    Framed<T> W(s.F, s.K);
    const Panel<T> panel = W.panel();
    const Matrix<T> start = this->random(s.F, s.K, 4);
    for (Index k = 0; k < s.K; ++k)
      std::copy_n(start.col(k).data(), std::size_t(s.F), panel.col(k));
    kernels::sweep<T>(Panel<const T>(A), Panel<const double>(B), inverse.data(), 2, T(0), least,
                      panel);

    Matrix<double> expected = start.template cast<double>();
    const Matrix<double>& A_double = A.template cast<double>();
    for (int sweep = 0; sweep < 2; ++sweep) {
      for (Index j = 0; j < s.K; ++j) {
        const Vector<double> step =
            expected.col(j) + (B.col(j) - expected * A_double.col(j)) * double(inverse[j]);
        expected.col(j) = step.cwiseMax(double(least));
      }
    }
    this->expect_near(W.inside(), expected, s);
    EXPECT_TRUE(W.frame_is_intact());
  }
}

TYPED_TEST(Kernels, SweepsEndWhenNothingMoves) {
  using T = typename TypeParam::Scalar;
  const Index F = 40;
  const Index K = 3;
  const Matrix<T> codes = this->random(K, 9, 2);
  const Matrix<T> A = codes * codes.transpose();
  const Matrix<double> B = random_matrix(F, K, 3);
  const Vector<T> inverse = A.diagonal().cwiseInverse();
  Matrix<T> once = this->random(F, K, 4);
  Matrix<T> stopped = once;
  const auto sweep = [&](Index sweeps, T small, Matrix<T>& W) {
    kernels::sweep<T>(Panel<const T>(A), Panel<const double>(B), inverse.data(), sweeps, small,
                      T(0), Panel<T>(W));
  };
  sweep(1, T(0), once);
  sweep(100, T(1e6), stopped);  // any change is small enough
  EXPECT_EQ(once, stopped);
  sweep(100, T(0), once);
  EXPECT_NE(once, stopped);
}

TYPED_TEST(Kernels, RangeOfASample) {
  using T = typename TypeParam::Scalar;
  for (const Index n : {0, 1, 7, 16, 100}) {
    Vector<T> v = this->random(n, 1, 5);
    auto range = kernels::range(v.data(), n);
    EXPECT_TRUE(range.finite);
    EXPECT_EQ(range.largest, n == 0 ? T(0) : v.maxCoeff());
    EXPECT_EQ(range.smallest, T(0));
    if (n < 7) continue;
    v[n / 2] = T(-3);
    range = kernels::range(v.data(), n);
    EXPECT_TRUE(range.finite);
    EXPECT_EQ(range.smallest, T(-3));
    for (const T wrong : {missing<T>, infinity<T>, -infinity<T>}) {
      for (const Index at : {Index(0), n / 3, n - 1}) {
        Vector<T> spoiled = v;
        spoiled[at] = wrong;
        EXPECT_FALSE(kernels::range(spoiled.data(), n).finite);
      }
    }
  }
}

}  // namespace
}  // namespace tamis::test
